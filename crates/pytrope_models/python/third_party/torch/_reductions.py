"""Reductions, scans, sorting: which dimensions go, which stay."""

from _pytrope import (
    broadcast,
    dtype_of,
    is_constant,
    is_unknown,
    last_sizes_of,
    lifted,
    product,
    proved,
    relate_rank,
    require,
    shape_of,
    unknown,
)

from . import _dtypes
from ._elementwise import has_kernel, ordered
from ._layout import in_row_major, is_row_major
from ._make import axes, axis, is_tensor, ranked, tensor, tensor_arg, trailing, unranked, with_rank
from ._named_results import NamedResult, PairResult
from ._reach import bounded
from ._values import whole_numbers
from ._versions import IS_NEW, IS_OLD, UNSUPPORTED, by_release


# The default of an argument that the library insists on.
REQUIRED = "required"


def given_dim(dim, operation):
    """Requires the dimension that an operation has no default for."""
    if isinstance(dim, str) and is_constant(dim) and dim == REQUIRED:
        raise TypeError(f"{operation} needs a dim")


def pair(shape, dtype):
    return PairResult(tensor(shape, dtype), tensor(shape, "int64"))


def without(shape, places, keepdim):
    """The shape after reducing the dimensions at `places`."""
    if is_unknown(keepdim):
        return unknown("whether the dimension stays is not known")
    kept = []
    for k in range(len(shape)):
        if k in places:
            if keepdim:
                kept.append(1)
        else:
            kept.append(shape[k])
    return tuple(kept)


def reduced(x, dim, keepdim):
    """The shape of a reduction over `dim`: None for all, a number, or several."""
    if not ranked(x) or is_unknown(dim):
        if dim is None and not is_unknown(dim) and not keepdim:
            return ()
        return unknown("the rank or the dimension is not known")
    shape = shape_of(x)
    if dim is None:
        return without(shape, range(len(shape)), keepdim)
    if isinstance(dim, (tuple, list)):
        places = axes(dim, len(shape))
        if len(places) == 0:
            places = range(len(shape))
        return without(shape, places, keepdim)
    return without(shape, [axis(dim, len(shape))], keepdim)


def reduction(x, dim, keepdim, dtype):
    """The result of a reduction; of an open rank it is known how many dimensions go, and which last sizes stay."""
    if ranked(x) or is_unknown(dim) or is_unknown(keepdim) or dim is None:
        return tensor(reduced(x, dim, keepdim), dtype)
    places = [dim] if isinstance(dim, int) else dim
    if isinstance(places, (tuple, list)) and is_constant(len(places)) and len(places) > 0:
        made = trailing(remaining_sizes(x, places, keepdim), dtype)
        return relate_rank(made, x, 0 if keepdim else -len(places))
    return with_rank(x, 0, dtype) if keepdim else unranked(dtype)


def remaining_sizes(x, places, keepdim):
    """The last sizes of a tensor of open rank that a reduction leaves: `mean(-2)` of `(..., n, d)` is `(..., d)`."""
    known = last_sizes_of(x)
    for place in places:
        # A dimension counted from the front may be one of those that are known, unless there are enough before them.
        if not is_constant(place) or (place >= 0 and not proved(len(shape_of(x)) > len(known) + place)):
            return ()
    return without(known, [len(known) + place for place in places if place < 0 and place >= -len(known)], keepdim)


def choose(dim, axis_name):
    """PyTorch takes `axis` for `dim`, and `keepdims` for `keepdim`."""
    return dim if axis_name is None else axis_name


@lifted(tensor_arg, "input")
def total(input, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None, out=None):
    made = reduction(
        input,
        choose(dim, axis),
        keepdim if keepdims is None else keepdims,
        _dtypes.name(dtype, _dtypes.counted(dtype_of(input))),
    )
    known = whole_numbers(input)
    if known is not None and dim is None and axis is None and dtype is None:
        return tensor(shape_of(made), dtype_of(made), (sum(known),))
    return made


@lifted(tensor_arg, "input")
def prod(input, dim=None, keepdim=False, *, dtype=None):
    if isinstance(dim, (tuple, list)):
        raise TypeError("prod takes one dimension")
    return reduction(input, dim, keepdim, _dtypes.name(dtype, _dtypes.counted(dtype_of(input))))


@lifted(tensor_arg, "input")
def mean(input, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None, out=None):
    result = _dtypes.name(dtype, dtype_of(input))
    kind = _dtypes.category(result)
    # Nothing is converted of an empty tensor, and `nanmean` then refuses no dtype.
    is_empty = dtype is not None and ranked(input) and proved(product(shape_of(input)) == 0)
    if not is_unknown(kind) and not is_empty:
        require(
            kind >= 2,
            UNSUPPORTED,
            f"mean needs a floating point dtype, but this tensor holds {result}",
            rule="bad-operand",
        )
    return reduction(input, choose(dim, axis), keepdim if keepdims is None else keepdims, result)


@lifted(tensor_arg, "input")
def spread(input, dim=None, unbiased=True, keepdim=False, *, correction=None, axis=None, out=None):
    """std and var."""
    if isinstance(dim, bool):
        dim = None
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(kind >= 2, UNSUPPORTED, "std and var need a floating point dtype", rule="bad-operand")
    return reduction(input, choose(dim, axis), keepdim, _dtypes.magnitude(dtype_of(input)))


def spread_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    result = spread(input, dim, unbiased, keepdim)
    return (result, tensor(shape_of(result), dtype_of(tensor_arg(input))))


@lifted(tensor_arg, "input")
def truth(input, dim=None, keepdim=False, *, out=None):
    """any and all."""
    if isinstance(dim, (tuple, list)):
        if IS_OLD:
            require(False, TypeError, "any and all take one dimension")
        if not IS_NEW:
            # Releases differ: 1.13 refuses, later ones reduce over all of them.
            return unknown("any or all over several dimensions")
        if len(dim) == 0:
            return tensor(shape_of(input), "bool")
    dtype = dtype_of(input)
    if not is_unknown(dtype) and dtype != "uint8":
        dtype = "bool"
    return tensor(reduced(input, dim, keepdim), dtype)


def occupied(x, dim):
    """A maximum needs at least one element along the dimension it is taken over."""
    if not ranked(x) or is_unknown(dim):
        return
    shape = shape_of(x)
    if dim is None:
        for size in shape:
            require(size != 0, RuntimeError, "the maximum or minimum of an empty tensor needs a dim")
        return
    if len(shape) > 0:
        require(
            shape[axis(dim, len(shape))] != 0,
            IndexError,
            "the maximum or minimum over a dimension of size 0 has no result",
        )


@lifted(tensor_arg, "input")
def extreme(input, dim=None, keepdim=False, *, axis=None, out=None):
    """max, min, median and mode: all elements, one dimension, or elementwise with another tensor."""
    dim = choose(dim, axis)
    if is_tensor(dim):
        return tensor(broadcast(shape_of(input), shape_of(dim), error=RuntimeError), _dtypes.result(input, dim))
    if is_unknown(dim):
        return unknown("max with an unknown second argument")
    if dim is None:
        if out is None:
            # With a place for the result, an empty tensor has a maximum that nothing is said of.
            occupied(input, None)
        ordered(input, "a maximum or minimum")
        return tensor((), dtype_of(input))
    if isinstance(dim, (tuple, list)):
        raise TypeError("max and min take one dimension")
    shape = reduced(input, dim, keepdim)
    occupied(input, dim)
    ordered(input, "a maximum or minimum", error=by_release(RuntimeError, TypeError))
    return pair(shape, dtype_of(input))


@lifted(tensor_arg, "input", known=("dim",))
def median(input, dim=None, keepdim=False, *, out=None):
    if dim is None:
        ordered(input, "a median", (1, 2))
        return tensor((), dtype_of(input))
    shape = reduced(input, dim, keepdim)
    occupied(input, dim)
    ordered(input, "a median", (1, 2))
    return pair(shape, dtype_of(input))


@lifted(tensor_arg, "input")
def mode(input, dim=-1, keepdim=False, *, out=None):
    shape = reduced(input, dim, keepdim)
    if ranked(input) and len(shape_of(input)) > 0:
        require(
            shape_of(input)[axis(dim, len(shape_of(input)))] != 0,
            IndexError,
            "mode of a dimension of size 0 has no result",
        )
    ordered(input, "mode")
    return pair(shape, dtype_of(input))


@lifted(tensor_arg, "input")
def extreme_values(input, dim=(), keepdim=False, *, out=None):
    """amax and amin."""
    if ranked(input) and is_constant(dim) and dim is not None:
        _occupied_places(input, dim)
    ordered(input, "a maximum or minimum")
    return tensor(reduced(input, dim, keepdim), dtype_of(input))


def _occupied_places(x, dim):
    shape = shape_of(x)
    if isinstance(dim, (tuple, list)):
        places = [axis(each, len(shape)) for each in dim] if len(shape) > 0 else []
        if len(places) == 0:
            places = range(len(shape))
        wrong = RuntimeError if len(dim) == 0 else IndexError
    else:
        places = [axis(dim, len(shape))] if len(shape) > 0 else []
        wrong = IndexError
    for place in places:
        require(shape[place] != 0, wrong, "the maximum or minimum over a dimension of size 0 has no result")


@lifted(tensor_arg, "input")
def position(input, dim=None, keepdim=False, *, axis=None, out=None):
    """argmax and argmin."""
    if not is_unknown(dtype_of(input)):
        require(
            dtype_of(input) != "bool",
            UNSUPPORTED,
            "argmax and argmin are not defined for bool tensors",
            rule="bad-operand",
        )
    dim = choose(dim, axis)
    if not is_unknown(dim) and dim is None and ranked(input):
        for size in shape_of(input):
            require(size != 0, IndexError, "argmax and argmin of an empty tensor need a dim")
    if isinstance(dim, (tuple, list)):
        raise TypeError("argmax and argmin take one dimension")
    if not is_unknown(dim) and dim is not None:
        shape = reduced(input, dim, keepdim)
        occupied(input, dim)
    else:
        shape = reduced(input, dim, keepdim)
    ordered(input, "the place of a maximum or minimum", error=by_release(RuntimeError, TypeError))
    return tensor(shape, "int64")


@lifted(tensor_arg, "input")
def aminmax(input, *, dim=None, keepdim=False, out=None):
    shape = reduced(input, dim, keepdim)
    ordered(input, "aminmax", error=by_release(RuntimeError, TypeError))
    return NamedResult(min=tensor(shape, dtype_of(input)), max=tensor(shape, dtype_of(input)))


@lifted(tensor_arg, "input")
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if isinstance(dim, str):
        raise by_release(RuntimeError, TypeError)("norm takes dim as a number")
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(kind >= 2, UNSUPPORTED, "norm needs a floating point dtype", rule="bad-operand")
    return tensor(reduced(input, dim, keepdim), _dtypes.name(dtype, _dtypes.magnitude(dtype_of(input))))


@lifted(tensor_arg, "input")
def logsumexp(input, dim=REQUIRED, keepdim=False, *, out=None):
    given_dim(dim, "logsumexp")
    if IS_NEW and isinstance(dim, (tuple, list)) and len(dim) == 0 and ranked(input):
        # No dimension is given, and the maximum that is subtracted needs one, unless there is nothing.
        nothing = product(shape_of(input)) == 0
        require(len(shape_of(input)) == 0 or nothing, RuntimeError, "logsumexp needs at least one dimension")
    if not IS_NEW and not is_unknown(dtype_of(input)) and dtype_of(input)[:7] == "complex":
        return unknown("complex numbers that this release does not have")
    return tensor(reduced(input, dim, keepdim), _dtypes.floating(dtype_of(input)))


def count_nonzero(input, dim=None):
    """Takes no `keepdim`."""
    return tensor(reduced(tensor_arg(input), dim, False), "int64")


@lifted(tensor_arg, "input")
def scan(input, dim=REQUIRED, *, dtype=None, out=None):
    """cumsum and cumprod."""
    given_dim(dim, "a cumulative sum or product")
    if ranked(input) and not is_unknown(dim):
        axis(dim, len(shape_of(input)))
    return tensor(shape_of(input), _dtypes.name(dtype, _dtypes.counted(dtype_of(input))))


@lifted(tensor_arg, "input")
def scan_pair(input, dim, *, out=None):
    """cummax and cummin look at dim only when there is something to scan."""
    if (
        ranked(input)
        and not is_unknown(dim)
        and (IS_NEW or len(shape_of(input)) > 0 and proved(product(shape_of(input)) != 0))
    ):
        axis(dim, len(shape_of(input)))
    ordered(input, "a cumulative maximum or minimum")
    return pair(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input")
def logcumsumexp(input, dim, *, out=None):
    if ranked(input) and not is_unknown(dim):
        axis(dim, len(shape_of(input)))
    has_kernel(dtype_of(input), (2, 3), "logcumsumexp")
    return tensor(shape_of(input), _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def softmax(input, dim=REQUIRED, dtype=None, *, _stacklevel=3):
    given_dim(dim, "softmax")
    if ranked(input) and is_constant(dim) and dim is not None:
        axis(dim, len(shape_of(input)))
    result = _dtypes.name(dtype, dtype_of(input))
    kind = _dtypes.category(result)
    # Of nothing there is nothing to compute.
    is_empty = ranked(input) and any([is_constant(size) and size == 0 for size in shape_of(input)])
    if not is_unknown(kind) and not is_empty:
        require(kind == 2, UNSUPPORTED, f"softmax is not defined for {result}", rule="bad-operand")
    made = tensor(shape_of(input), result)
    return in_row_major(made) if is_row_major(input) else made


@lifted(tensor_arg, "input")
def sort(input, dim=-1, descending=False, stable=False, *, out=None):
    if ranked(input) and not is_unknown(dim):
        place = axis(dim, len(shape_of(input)))
        ordered(input, "sort", error=by_release(RuntimeError, TypeError))
        made = pair(shape_of(input), dtype_of(input))
        if len(shape_of(input)) > 0:
            bounded(made[1], shape_of(input)[place])
        return made
    return pair(shape_of(input), dtype_of(input))


def argsort(input, dim=-1, descending=False, stable=False):
    return sort(input, dim)[1]


def msort(input, *, out=None):
    return sort(input, 0)[0]


@lifted(tensor_arg, "input")
def topk(input, k, dim=-1, largest=True, sorted=True, *, out=None):
    if not ranked(input) or is_unknown(dim) or is_unknown(k):
        return PairResult(unranked(dtype_of(input)), unranked("int64"))
    shape = shape_of(input)
    place = axis(dim, len(shape))
    if len(shape) == 0:
        require(0 <= k and k <= 1, RuntimeError, f"topk cannot take {k} elements from a scalar")
        return pair((), dtype_of(input))
    require(
        0 <= k and k <= shape[place],
        RuntimeError,
        f"topk cannot take {k} elements from a dimension of size {shape[place]}",
    )
    ordered(input, "topk", error=by_release(RuntimeError, TypeError))
    ordered(input, "topk", (1, 2))
    return pair(shape[:place] + (k,) + shape[place + 1 :], dtype_of(input))


@lifted(tensor_arg, "input")
def kthvalue(input, k, dim=-1, keepdim=False, *, out=None):
    shape = reduced(input, dim, keepdim)
    if ranked(input) and not is_unknown(dim) and len(shape_of(input)) > 0:
        size = shape_of(input)[axis(dim, len(shape_of(input)))]
        require(size != 0, IndexError, "kthvalue of a dimension of size 0 has no result")
        require(1 <= k and k <= size, RuntimeError, f"kthvalue: k = {k} is out of range for {size} elements")
    ordered(input, "kthvalue", (1, 2))
    return pair(shape, dtype_of(input))


@lifted(tensor_arg, "input")
def diff(input, n=1, dim=-1, prepend=None, append=None, *, out=None):
    if not ranked(input) or is_unknown(dim) or not is_constant(n) or prepend is not None or append is not None:
        return unranked(dtype_of(input))
    shape = shape_of(input)
    require(len(shape) > 0, RuntimeError, "diff needs at least one dimension")
    place = axis(dim, len(shape))
    size = shape[place] - n
    known = whole_numbers(input)
    if known is not None and len(shape) == 1 and n == 1 and len(known) > 0:
        return tensor((size,), dtype_of(input), [known[k + 1] - known[k] for k in range(len(known) - 1)])
    if proved(size >= 0):
        return tensor(shape[:place] + (size,) + shape[place + 1 :], dtype_of(input))
    if is_constant(size):
        return tensor(shape[:place] + (0,) + shape[place + 1 :], dtype_of(input))
    return unranked(dtype_of(input))


@lifted(tensor_arg, "input")
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    if not is_unknown(dtype_of(input)):
        require(
            dtype_of(input) in ("float32", "float64"),
            RuntimeError,
            f"quantile takes float32 or float64, not {dtype_of(input)}",
            rule="bad-operand",
        )
    base = reduced(input, dim, keepdim)
    if is_tensor(q) and ranked(q) and len(shape_of(q)) == 1 and not is_unknown(base):
        return tensor(shape_of(q) + base, dtype_of(input))
    return tensor(base, dtype_of(input)) if isinstance(q, float) else unranked(dtype_of(input))


@lifted(tensor_arg, "input")
def trace(input):
    has_kernel(dtype_of(input), (1, 2, 3), "trace")
    if ranked(input):
        require(
            len(shape_of(input)) == 2,
            RuntimeError,
            f"trace needs a matrix, but this tensor has shape {shape_of(input)}",
        )
    return tensor((), _dtypes.counted(dtype_of(input)))


@lifted(tensor_arg, "input")
def dist(input, other, p=2):
    broadcast(shape_of(input), shape_of(tensor_arg(other)), error=RuntimeError)
    has_kernel(_dtypes.result(input, other), (2, 3), "dist")
    return tensor((), dtype_of(input))


@lifted(tensor_arg, "input")
def histc(input, bins=100, min=0, max=0, *, out=None):
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        has_kernel(dtype_of(input), (2,), "histc", UNSUPPORTED if kind < 3 else by_release(RuntimeError, TypeError))
    return tensor((bins,), dtype_of(input))


@lifted(tensor_arg, "input")
def bincount(input, weights=None, minlength=0):
    has_kernel(dtype_of(input), (1,), "bincount")
    if ranked(input):
        require(
            len(shape_of(input)) == 1,
            RuntimeError,
            f"bincount needs one dimension, but this tensor has shape {shape_of(input)}",
        )
    from _pytrope import fresh

    return tensor((fresh("bins"),), "int64" if weights is None else None)


def numel(input):
    return product(shape_of(tensor_arg(input)))


@lifted(tensor_arg, "input")
def nan_total(input, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None, out=None):
    """nansum: of complex numbers there is none."""
    made = total(input, dim, keepdim, dtype=dtype, axis=axis, keepdims=keepdims)
    ordered(input, "nansum")
    return made


class Reductions:
    """Methods of Tensor that reduce, scan or sort."""

    sum = total
    nansum = nan_total
    prod = prod
    mean = nanmean = mean
    std = var = spread
    max = min = extreme
    median = nanmedian = median
    mode = mode
    amax = amin = extreme_values
    aminmax = aminmax
    argmax = argmin = position
    any = all = truth
    norm = norm
    logsumexp = logsumexp
    count_nonzero = count_nonzero
    cumsum = cumprod = scan
    cummax = cummin = scan_pair
    logcumsumexp = logcumsumexp
    softmax = log_softmax = softmax
    sort = sort
    argsort = argsort
    msort = msort
    topk = topk
    kthvalue = kthvalue
    diff = diff
    quantile = nanquantile = quantile
    trace = trace
    dist = dist
    histc = histc
    bincount = bincount
    numel = nelement = numel
