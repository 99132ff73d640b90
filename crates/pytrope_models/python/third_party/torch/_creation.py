"""Tensors made from sizes, ranges, nested lists and other tensors."""

from _pytrope import (
    broadcast,
    dtype_of,
    elements,
    fresh,
    has_rank,
    has_values,
    is_array,
    is_assuming,
    is_constant,
    is_unknown,
    lifted,
    nested_shape,
    product,
    proved,
    require,
    set_values,
    shape_of,
    size_arg,
    unknown,
)

from . import _dtypes
from ._layout import in_row_major
from ._make import alike, is_tensor, ranked, sizes, tensor, tensor_arg, unranked
from ._elementwise import has_kernel, of_one_float
from ._origin import OPEN, device_of, moved, placed
from ._reach import bounded
from ._values import forget
from ._versions import UNSUPPORTED


# A function with the parameters of every release of the library.
_pytrope_exact = ("from_numpy",)

# How many elements of a range are written out.
SMALL = 64


def random_floats(*size, dtype=None, **options):
    """rand and randn."""
    kind = _dtypes.category(_dtypes.name(dtype, "float32"))
    made_of = filled(*size, dtype=dtype, **options)
    if not is_unknown(kind):
        require(kind >= 2, UNSUPPORTED, "random floats need a floating point dtype", rule="bad-operand")
    return made_of


def filled(
    *size,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
    names=None,
    memory_format=None,
    generator=None,
    **named,
):
    """zeros, ones, empty, rand and randn."""
    if "size" in named:
        size = (named["size"],)
    elif len(size) == 0:
        raise TypeError("the sizes are missing")
    if is_assuming():
        # A size that nothing is known of is an integer, also the only one.
        size = tuple([size_arg(one) for one in size])
    result = made(sizes(size), _dtypes.name(dtype, "float32"))
    if memory_format is not None or out is not None or layout is not None:
        result._strides = None
    return placed(result, device, requires_grad)


def zeros(*size, **options):
    return of_equal_elements(filled(*size, **options), 0, options)


def ones(*size, **options):
    return of_equal_elements(filled(*size, **options), 1, options)


def of_equal_elements(made_of, element, options):
    """Integers and bools are followed as indices and masks, where they are few."""
    kind = _dtypes.category(dtype_of(made_of))
    if (
        not is_unknown(kind)
        and kind < 2
        and "out" not in options
        and ranked(made_of)
        and is_constant(shape_of(made_of))
    ):
        count = product(shape_of(made_of))
        if count <= SMALL:
            name = dtype_of(made_of)
            set_values(made_of, elements("cast", name, shape_of(made_of), element))
    return made_of


def made(shape, dtype):
    if is_unknown(shape):
        return unranked(dtype)
    if not is_constant(len(shape)):
        return unranked(dtype)
    for size in shape:
        if is_unknown(size):
            continue
        if is_tensor(size):
            return unranked(dtype)
        if isinstance(size, (float, str)) or size is None or isinstance(size, (tuple, list)):
            raise TypeError(f"a size must be an integer, not {type(size).__name__}")
        require(size >= 0, RuntimeError, f"a size must not be negative: {shape}")
    return in_row_major(tensor(tuple(shape), dtype))


@lifted(tensor_arg, "input")
def like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None, pin_memory=False):
    """zeros_like, ones_like, empty_like."""
    return alongside(shaped_like(input, _dtypes.name(dtype, dtype_of(input))), device, requires_grad)


def shaped_like(x, dtype):
    """A new tensor with the shape of another one, as far as that is known."""
    return tensor(shape_of(x), dtype) if ranked(x) else alike(x, dtype)


def alongside(made, device, requires_grad):
    """A tensor that is where another one is, unless it is told otherwise."""
    if device is None and requires_grad is False:
        return made
    return placed(made, OPEN if device is None else device, requires_grad)


@lifted(tensor_arg, "input")
def randint_like(
    input, low, high=None, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None
):
    result = _dtypes.name(dtype, dtype_of(input))
    has_kernel(result, (1, 2), "randint_like", RuntimeError)
    return alongside(shaped_like(input, result), device, requires_grad)


@lifted(tensor_arg, "input")
def random_like(input, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    """rand_like and randn_like hold floats."""
    result = _dtypes.name(dtype, dtype_of(input))
    kind = _dtypes.category(result)
    if not is_unknown(kind):
        require(kind >= 2, UNSUPPORTED, f"random floats cannot be {result}", rule="bad-operand")
    return alongside(shaped_like(input, result), device, requires_grad)


def of_number(value):
    if is_unknown(value) or is_array(value):
        return unknown("the dtype follows the value")
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int64"
    return "float32" if isinstance(value, float) else unknown("the dtype follows the value")


def full(
    size,
    fill_value,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
    names=None,
):
    if isinstance(size, int):
        raise TypeError("full takes the sizes as a tuple")
    return placed(made(size, _dtypes.name(dtype, of_number(fill_value))), device, requires_grad)


@lifted(tensor_arg, "input")
def full_like(input, fill_value, *, dtype=None, layout=None, device=None, requires_grad=False, memory_format=None):
    return alongside(tensor(shape_of(input), _dtypes.name(dtype, dtype_of(input))), device, requires_grad)


def new_filled(self, *size, dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, **named):
    """new_zeros, new_ones, new_empty."""
    if "size" in named:
        size = (named["size"],)
    return made(sizes(size), _dtypes.name(dtype, dtype_of(self)))


def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False):
    if isinstance(size, int):
        raise TypeError("new_full takes the sizes as a tuple")
    return made(size, _dtypes.name(dtype, dtype_of(self)))


def from_data(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """torch.tensor: a copy."""
    result = of_data(data, dtype)
    if device is None and not is_unknown(data) and is_tensor(data):
        device = device_of(data)
    return placed(result, device, requires_grad)


def of_data(data, dtype):
    if is_unknown(data):
        return unranked(_dtypes.name(dtype))
    if is_array(data):
        return _copied(data, _dtypes.name(dtype, dtype_of(data)))
    if isinstance(data, str) or data is None:
        raise (RuntimeError if data is None else TypeError)(f"a tensor cannot be made from {type(data).__name__}")
    if isinstance(data, (bool, int, float)):
        name = _dtypes.name(dtype, of_number(data))
        return tensor((), name, elements("cast", name, (), data))
    if isinstance(data, (list, tuple, range)):
        return _nested(list(data), dtype)
    return unranked(_dtypes.name(dtype))


def _nested(data, dtype):
    listed = False
    for item in data:
        if isinstance(item, (list, tuple)):
            listed = True
        elif listed and isinstance(item, (int, float)):
            raise TypeError("a tensor cannot hold lists beside numbers")
        if item is None:
            if data[0] is None and dtype is None:
                raise RuntimeError("the element type of None cannot be told")
            return unranked(_dtypes.name(dtype))
        if isinstance(item, str):
            raise ValueError(f"a tensor cannot hold {item!r}")
    shape, kind, values = nested_shape(data)
    # An empty list is a vector of floats unless the dtype is given: then it is a vector like those of other lengths.
    is_vector = dtype is not None and not is_constant(len(data)) and has_rank(shape) and len(shape) == 1
    if not is_vector and len(data) == 0:
        return tensor((0,), _dtypes.name(dtype, "float32"))
    if is_unknown(kind):
        name = unknown("the dtype follows the elements")
    elif kind in ("int", "int64"):
        name = "int64"
    elif kind == "bool":
        name = "bool"
    else:
        name = "float32"
    result = tensor(shape, _dtypes.name(dtype, name), values)
    return in_row_major(_copied(result, dtype_of(result)) if values is not None else result)


def _copied(x, name):
    if has_values(x) and not is_unknown(name):
        return tensor(shape_of(x), name, elements("cast", name, shape_of(x), x))
    return tensor(shape_of(x), name)


def as_tensor(data, *, dtype=None, device=None, requires_grad=False, copy=None):
    """torch.as_tensor: arrays and tensors may keep their memory, so their elements are not followed."""
    if not is_array(data):
        return from_data(data, dtype=dtype)
    result = tensor(shape_of(data), _dtypes.name(dtype, dtype_of(data)))
    if is_tensor(data):
        forget(data)
        return moved(result, data, device)
    set_values(data, None)
    return placed(result, device)


def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
    if data is None:
        raise TypeError("a tensor cannot be made from NoneType")
    if isinstance(data, (list, tuple)) and None in data:
        raise TypeError("a tensor cannot hold None")
    made_from = from_data(data)
    return tensor(shape_of(made_from), _dtypes.name(dtype, dtype_of(self)))


def scalar_tensor(s, *, dtype=None, layout=None, device=None, pin_memory=False):
    return tensor((), _dtypes.name(dtype, "float32"))


def from_numpy(ndarray):
    if is_unknown(ndarray):
        return unranked()
    if is_array(ndarray) and not is_tensor(ndarray):
        set_values(ndarray, None)
        return placed(tensor(shape_of(ndarray), dtype_of(ndarray)), "cpu")
    if is_constant(ndarray) or is_tensor(ndarray):
        raise TypeError("from_numpy needs a NumPy array")
    return unranked()


def complex_(real, imag, *, out=None):
    shape = broadcast(shape_of(tensor_arg(real)), shape_of(tensor_arg(imag)), error=RuntimeError)
    of_one_float(tensor_arg(real), tensor_arg(imag), "complex")
    return tensor(shape, "complex64" if dtype_of(tensor_arg(real)) == "float32" else None)


def arange(
    start=0, end=None, step=1, *, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    return placed(range_of(start, end, step, dtype), device, requires_grad)


def range_of(start, end, step, dtype):
    if end is None:
        start, end = 0, start
    if is_assuming():
        end = size_arg(end)
    if (
        is_unknown(start)
        or is_unknown(end)
        or is_unknown(step)
        or is_tensor(start)
        or is_tensor(end)
        or is_tensor(step)
    ):
        for bound in (start, end, step):
            if not is_unknown(bound) and is_tensor(bound) and ranked(bound):
                require(
                    len(shape_of(bound)) == 0,
                    TypeError,
                    f"arange takes numbers, not a tensor of shape {shape_of(bound)}",
                    rule="bad-operand",
                )
        return tensor((fresh("arange"),), _dtypes.name(dtype))
    if isinstance(start, float) or isinstance(end, float) or isinstance(step, float):
        return _float_range(start, end, step, _dtypes.name(dtype, "float32"))
    name = _dtypes.name(dtype, "int64")
    require(step != 0, RuntimeError, "arange needs a step that is not 0")
    if proved(step > 0):
        require(start <= end, RuntimeError, f"arange with a positive step cannot go from {start} to {end}")
        count = (end - start + step - 1) // step
        if is_constant(start) and is_constant(step) and is_constant(count) and count <= SMALL:
            return in_row_major(_copied(tensor((count,), "int64", list(range(start, end, step))), name))
        made = in_row_major(tensor((count,), name))
        return bounded(made, start + (count - 1) * step + 1) if proved(start >= 0) else made
    if proved(step < 0):
        require(start >= end, RuntimeError, f"arange with a negative step cannot go from {start} to {end}")
        return tensor(((start - end - step - 1) // -step,), name)
    return tensor((fresh("arange"),), name)


def _float_range(start, end, step, name):
    if not is_constant(start) or not is_constant(end) or not is_constant(step):
        return tensor((fresh("arange"),), name)
    require(step != 0, RuntimeError, "arange needs a step that is not 0")
    require((end - start) * step >= 0, RuntimeError, f"arange cannot go from {start} to {end} by {step}")
    span = (end - start) / step
    whole = int(span)
    return tensor((whole if whole == span else whole + 1,), name)


def linspace(start, end, steps, *, base=10.0, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    if is_unknown(steps):
        return tensor((fresh("steps"),), _dtypes.name(dtype, "float32"))
    require(steps >= 0, RuntimeError, f"the number of steps must not be negative: {steps}")
    return placed(tensor((steps,), _dtypes.name(dtype, "float32")), device, requires_grad)


def eye(n, m=None, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    columns = n if m is None else m
    return placed(made((n, columns), _dtypes.name(dtype, "float32")), device, requires_grad)


def randint(
    low=0, high=None, size=None, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False
):
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    if size is None or isinstance(size, int):
        raise TypeError("randint takes the sizes as a tuple")
    if is_constant(low) and is_constant(high):
        require(low < high, RuntimeError, f"randint needs low < high, not {low} and {high}")
    return placed(made(size, _dtypes.name(dtype, "int64")), device)


def randperm(
    n, *, generator=None, out=None, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False
):
    if isinstance(n, float):
        raise TypeError("randperm needs an integer")
    require(n >= 0, RuntimeError, f"randperm needs a count that is not negative, not {n}")
    return placed(tensor((n,), _dtypes.name(dtype, "int64")), device)


def normal(mean=0.0, std=1.0, size=None, *, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    if isinstance(size, int):
        raise TypeError("normal(): argument 'size' must be a tuple of ints, not int; size=(1) is the number 1")
    if size is not None:
        return placed(made(size, _dtypes.name(dtype, "float32")), device, requires_grad)
    if is_tensor(mean) and is_tensor(std):
        shape = broadcast(shape_of(mean), shape_of(std), error=RuntimeError)
        return tensor(shape, dtype_of(mean))
    if is_tensor(mean):
        return tensor(shape_of(mean), dtype_of(mean))
    if is_tensor(std):
        return tensor(shape_of(std), dtype_of(std))
    return unranked()


@lifted(tensor_arg, "input")
def bernoulli(input, p=None, *, generator=None, out=None):
    """The elements are probabilities, unless one is given beside them."""
    if p is None:
        has_kernel(dtype_of(input), (2,), "bernoulli")
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input")
def same_kind(input, generator=None):
    """poisson: a number for each rate."""
    has_kernel(dtype_of(input), (2,), "poisson")
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input")
def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    if not ranked(input):
        return unranked("int64")
    shape = shape_of(input)
    require(
        1 <= len(shape) and len(shape) <= 2,
        RuntimeError,
        f"multinomial takes a vector or a matrix of weights, not shape {shape}",
    )
    require(num_samples > 0, RuntimeError, f"multinomial draws at least one sample, not {num_samples}")
    if proved(not replacement):
        require(
            num_samples <= shape[-1],
            RuntimeError,
            f"multinomial cannot draw {num_samples} of {shape[-1]} without replacement",
        )
    return tensor(shape[:-1] + (num_samples,), "int64")


def window(window_length, periodic=True, *args, dtype=None, layout=None, device=None, requires_grad=False, **options):
    """Windows of a length, and of floats."""
    name = _dtypes.name(dtype, "float32")
    if not is_unknown(window_length) and not isinstance(window_length, (float, str)):
        require(window_length >= 0, RuntimeError, f"a window cannot have length {window_length}")
    if not is_unknown(_dtypes.category(name)):
        require(_dtypes.category(name) >= 2, RuntimeError, f"a window holds floats, not {name}", rule="bad-operand")
    return tensor((window_length,), _dtypes.name(dtype, "float32"))


def kaiser_window(
    window_length, periodic=True, beta=12.0, *, dtype=None, layout=None, device=None, requires_grad=False
):
    return window(window_length, dtype=dtype)


@lifted(tensor_arg, "x")
def vander(x, N=None, increasing=False):
    if not ranked(x):
        return unranked()
    require(len(shape_of(x)) == 1, RuntimeError, f"vander takes a vector, not shape {shape_of(x)}")
    return tensor((shape_of(x)[0], shape_of(x)[0] if N is None else N), dtype_of(x))


class Creation:
    """Methods of Tensor that make another tensor."""

    new_zeros = new_ones = new_empty = new_filled
    new_full = new_full
    new_tensor = new_tensor
    multinomial = multinomial
    bernoulli = bernoulli
