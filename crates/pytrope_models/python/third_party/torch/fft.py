"""torch.fft: the shape stays but for the length along the transformed dimensions; elements become complex or real."""

from _pytrope import dtype_of, is_constant, is_unknown, lifted, require, shape_of, unknown

from . import _dtypes
from ._make import axes, axis, same_dtype, tensor, tensor_arg, unranked
from ._versions import IS_OLD, by_release

COMPLEX = {"float16": "complex32", "float64": "complex128", "complex128": "complex128", "complex32": "complex32"}
REAL = {"complex128": "float64", "float64": "float64", "complex32": "float16"}


def complex_of(x):
    name = dtype_of(x)
    return name if is_unknown(name) else COMPLEX.get(name, "complex64")


def real_of(x):
    name = dtype_of(x)
    return name if is_unknown(name) else REAL.get(name, "float32")


def unranked_complex(x, *others):
    return unranked(complex_of(x))


def unranked_real(x, *others):
    return unranked(real_of(x))


def length(n, size):
    """How many points are transformed."""
    if n is None:
        require(size >= 1, RuntimeError, f"a transform needs at least one point, not {size}")
        return size
    if not is_unknown(n):
        require(n >= 1, RuntimeError, f"a transform needs at least one point, not {n}")
    return n


def place_of(input, dim):
    """The transformed dimension; a scalar has none."""
    if IS_OLD:
        axis(dim, len(shape_of(input)))
    require(len(shape_of(input)) > 0, by_release(RuntimeError, IndexError), "a transform needs at least one dimension")
    return axis(dim, len(shape_of(input)))


def must_be_real(input, name):
    if not is_unknown(dtype_of(input)):
        require(
            dtype_of(input)[:7] != "complex",
            by_release(RuntimeError, TypeError),
            f"{name} takes real elements, not {dtype_of(input)}",
        )


def along(input, dim, size):
    place = axis(dim, len(shape_of(input)))
    shape = shape_of(input)
    return shape[:place] + (size,) + shape[place + 1 :]


@lifted(tensor_arg, "input", known=("dim",), ranked=True, otherwise=unranked_complex)
def fft(input, n=None, dim=-1, norm=None, *, out=None):
    size = length(n, shape_of(input)[place_of(input, dim)])
    return tensor(along(input, dim, size), complex_of(input))


ifft = fft


@lifted(tensor_arg, "input", known=("dim",), ranked=True, otherwise=unranked_complex)
def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    must_be_real(input, "rfft")
    size = length(n, shape_of(input)[place_of(input, dim)])
    half = unknown("half of the points") if is_unknown(size) else size // 2 + 1
    return tensor(along(input, dim, half), complex_of(input))


@lifted(tensor_arg, "input", known=("dim",), ranked=True, otherwise=unranked_complex)
def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    return rfft(input, n, dim)


@lifted(tensor_arg, "input", known=("dim",), ranked=True, otherwise=unranked_real)
def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    own = shape_of(input)[place_of(input, dim)]
    size = 2 * (own - 1) if n is None else n
    if not is_unknown(size):
        require(size >= 1, RuntimeError, f"a transform needs at least one point, not {size}")
    return tensor(along(input, dim, size), real_of(input))


hfft = irfft


def several(input, s, dim, last):
    """The dimensions of a transform over several, and their sizes."""
    rank = len(shape_of(input))
    if dim is None:
        if s is not None:
            require(len(s) <= rank, RuntimeError, f"s has {len(s)} sizes, but the tensor has rank {rank}")
        chosen = list(range(rank)) if s is None else list(range(rank - len(s), rank))
    else:
        wanted = [dim] if isinstance(dim, int) else dim
        error = by_release(RuntimeError, IndexError)
        if IS_OLD:
            for place in wanted:
                axis(place, rank)
        require(rank > 0 or len(wanted) == 0, error, "a transform needs at least one dimension")
        chosen = axes(wanted, rank)
        if s is not None:
            require(len(s) == len(chosen), RuntimeError, f"s has {len(s)} sizes for {len(chosen)} dimensions")
    shape = list(shape_of(input))
    if s is not None:
        for place, size in zip(chosen, s):
            if not (is_constant(size) and size == -1):
                shape[place] = size
    for place in chosen:
        require(shape[place] >= 1, RuntimeError, f"a transform needs at least one point along dim {place}")
    return chosen, shape


@lifted(tensor_arg, "input", known=("dim", "s"), ranked=True, otherwise=unranked_complex)
def fftn(input, s=None, dim=None, norm=None, *, out=None):
    return tensor(tuple(several(input, s, dim, False)[1]), complex_of(input))


ifftn = fftn


@lifted(tensor_arg, "input", known=("dim", "s"), ranked=True, otherwise=unranked_complex)
def fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return tensor(tuple(several(input, s, dim, False)[1]), complex_of(input))


ifft2 = fft2


@lifted(tensor_arg, "input", known=("dim", "s"), ranked=True, otherwise=unranked_complex)
def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    must_be_real(input, "rfftn")
    chosen, shape = several(input, s, dim, True)
    require(len(chosen) > 0, RuntimeError, "a real transform needs at least one dimension")
    if len(chosen) > 0:
        shape[chosen[-1]] = shape[chosen[-1]] // 2 + 1
    return tensor(tuple(shape), complex_of(input))


@lifted(tensor_arg, "input", known=("dim", "s"), ranked=True, otherwise=unranked_complex)
def rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return rfftn(input, s, dim)


@lifted(tensor_arg, "input", known=("dim", "s"), ranked=True, otherwise=unranked_real)
def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    chosen, shape = several(input, s, dim, True)
    require(len(chosen) > 0, RuntimeError, "a real transform needs at least one dimension")
    if len(chosen) > 0 and s is None:
        shape[chosen[-1]] = 2 * (shape[chosen[-1]] - 1)
    return tensor(tuple(shape), real_of(input))


@lifted(tensor_arg, "input", known=("dim", "s"), ranked=True, otherwise=unranked_real)
def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return irfftn(input, s, dim)


@lifted(tensor_arg, "input", known=("dim",), ranked=True, otherwise=same_dtype)
def fftshift(input, dim=None):
    wrong = RuntimeError if dim is None else IndexError
    if not IS_OLD:
        require(len(shape_of(input)) > 0, wrong, "a scalar has no dimension to shift")
    if dim is not None:
        axes([dim] if isinstance(dim, int) else dim, len(shape_of(input)))
    return tensor(shape_of(input), dtype_of(input))


ifftshift = fftshift


def fftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    if isinstance(n, float):
        raise TypeError("fftfreq takes an integer, not a float")
    return tensor((n,), _dtypes.name(dtype, "float32"))


def rfftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    return tensor((unknown("half of the points") if is_unknown(n) else n // 2 + 1,), _dtypes.name(dtype, "float32"))
