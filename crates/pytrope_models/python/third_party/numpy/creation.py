"""Functions that make arrays."""

from _pytrope import (
    array as new_array,
    array_like,
    broadcast,
    call_back,
    dtype_of,
    has_rank,
    havoc,
    index_shape,
    is_array,
    is_constant,
    is_unknown,
    lifted,
    perhaps_same,
    product,
    promote,
    proved,
    require,
    set_values,
    shape_of,
    unknown,
    values_of,
)

from _shapes import as_index, as_sizes, check_axis, check_sizes, element_count, expand_shape

from ._array import _Array, ndarray, wrap
from ._convert import as_array_arg, lift_all
from ._dtypes import KINDS, mean_of, strong
from ._fields import fields_given
from ._layout import diagonal_length, integers_only, read_only
from ._structured import Records, records, records_from
from ._types import dtype_name
from .exceptions import AxisError


def made(object, dtype, ndmin=0):
    """The array that `array` makes of an object."""
    if not is_unknown(object) and isinstance(object, Records) and dtype is None:
        return object.copy()
    if dtype is not None and is_unknown(dtype_name(dtype)):
        fields = fields_given(dtype)
        if fields is not None and not is_unknown(fields) and ndmin == 0:
            return records_from(object, fields)
        # Object arrays may hold ragged sequences, and hand out what they hold.
        havoc(object)
        return new_array(ndarray, unknown("an array of unknown dtype"), unknown("an array of unknown dtype"))
    shape, name, values = array_like(object)
    if is_unknown(shape):
        return new_array(
            ndarray, unknown("an array of unknown rank"), dtype_name(dtype, unknown("an array of unknown dtype"))
        )
    own = strong(name)
    name = dtype_name(dtype, own)
    if is_unknown(name) or is_unknown(own) or name != own:
        values = integers_only(values, name)
    if not is_constant(ndmin):
        return new_array(ndarray, unknown("ndmin is not known"), name)
    if ndmin > 0 and has_rank(shape):
        shape = (1,) * (ndmin - len(shape)) + tuple(shape)
    return new_array(ndarray, shape, name, values)


def converted(x):
    """An array of another library converts itself, or refuses."""
    if is_unknown(x) or isinstance(x, (int, float, complex, str, list, tuple)):
        return x
    if is_array(x):
        return x.__array__() if not is_array(x, ndarray) and hasattr(x, "__array__") else x
    converts = getattr(type(x), "_pytrope_converts", None)
    return x.__array__() if not is_unknown(converts) and converts is True else x


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None):
    object = converted(object)
    if copy is True:
        return made(object, dtype, ndmin)
    return perhaps_same(made(object, dtype, ndmin), object)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    if not is_unknown(a) and is_array(a, ndarray) and dtype is None:
        return a
    a = converted(a)
    return perhaps_same(made(a, dtype), a)


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    if is_unknown(a):
        return unknown("an array subclass may pass through asanyarray")
    return asarray(a, dtype)


def ascontiguousarray(a, dtype=None, *, like=None):
    return perhaps_same(made(a, dtype, 1), a)


def asfortranarray(a, dtype=None, *, like=None):
    return perhaps_same(made(a, dtype, 1), a)


def asarray_chkfinite(a, dtype=None, order=None):
    return perhaps_same(made(a, dtype), a)


def require_(a, dtype=None, requirements=None, *, like=None):
    if is_unknown(a):
        return a
    return asarray(a, dtype)


def copy(a, order="K", subok=False):
    return made(a, None)


def has_parts(dtype):
    """Whether the elements are arrays or records themselves, which adds axes or fields."""
    return (
        isinstance(dtype, (list, dict))
        or isinstance(dtype, str)
        and len(dtype) > 0
        and (dtype[0] in "0123456789(" or "," in dtype)
    )


def zeros(shape, dtype=float, order="C", *, device=None, like=None):
    fields = fields_given(dtype)
    if fields is not None and not is_unknown(fields):
        return records(shape, fields)
    if has_parts(dtype):
        return unknown("an array of records")
    return filled(shape, dtype_name(dtype), 0)


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    fields = fields_given(dtype)
    if fields is not None and not is_unknown(fields):
        return records(shape, fields)
    if has_parts(dtype):
        return unknown("an array of records")
    return filled(shape, dtype_name(dtype), 1)


def empty(shape, dtype=float, order="C", *, device=None, like=None):
    fields = fields_given(dtype)
    if fields is not None and not is_unknown(fields):
        return records(shape, fields)
    if has_parts(dtype):
        return unknown("an array of records")
    return filled(shape, dtype_name(dtype), None)


def filled(shape, name, value):
    """An array whose elements are all the same."""
    sizes = check_sizes(as_sizes(shape))
    values = None
    if value is not None and has_rank(sizes) and not is_unknown(name) and KINDS[name] in "iub":
        count = product(sizes)
        if is_constant(count) and count <= 64:
            values = (bool(value) if name == "bool" else value,) * count
    return new_array(ndarray, sizes, name, values)


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    sizes = check_sizes(as_sizes(shape))
    given, name, values = array_like(fill_value)
    if is_unknown(given):
        return new_array(ndarray, sizes, dtype_name(dtype, unknown("the dtype of a fill value")))
    chosen = dtype_name(dtype, strong(name))
    if is_unknown(chosen):
        # A structured dtype takes the fill value apart.
        return new_array(ndarray, unknown("an array of unknown dtype"), chosen)
    if has_rank(sizes):
        broadcast(sizes, given, out=sizes)
    return new_array(ndarray, sizes, chosen)


def like(prototype, dtype, shape):
    """An array shaped like another."""
    if shape is None:
        shape = shape_of(prototype)
    else:
        shape = check_sizes(as_sizes(shape))
    return new_array(ndarray, shape, dtype_name(dtype, dtype_of(prototype)))


@lifted(as_array_arg, "a")
def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return like(a, dtype, shape)


@lifted(as_array_arg, "a")
def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return like(a, dtype, shape)


@lifted(as_array_arg, "prototype")
def empty_like(prototype, /, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return like(prototype, dtype, shape)


@lifted(as_array_arg, "a")
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    result = like(a, dtype, shape)
    given, _, _ = array_like(fill_value)
    if not is_unknown(dtype_of(result)) and not is_unknown(given) and has_rank(shape_of(result)):
        # An array of one element fits wherever NumPy takes its only value.
        if not (shape_of(result) == () and len(given) > 0 if has_rank(given) else True):
            broadcast(shape_of(result), given, out=shape_of(result))
    return result


def size_argument(n):
    """An integer argument that gives a size; negative means none."""
    n = as_index(n)
    if isinstance(n, float):
        require(False, TypeError, f"a size must be an integer, not {n}", rule="float-dimension")
    if isinstance(n, (str, tuple, list)):
        require(False, TypeError, f"a size must be an integer, not {n}", rule="shape-argument")
    if is_unknown(n):
        return n
    require(n >= 0, ValueError, f"a dimension must not be negative: {n}", rule="shape-argument")
    return n


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    rows = size_argument(N)
    columns = rows if M is None else size_argument(M)
    return new_array(ndarray, (rows, columns), dtype_name(dtype))


def identity(n, dtype=None, *, like=None):
    rows = size_argument(n)
    return new_array(ndarray, (rows, rows), dtype_name(dtype))


def tri(N, M=None, k=0, dtype=float, *, like=None):
    rows = at_least_zero(as_index(N))
    columns = rows if M is None else at_least_zero(as_index(M))
    return new_array(ndarray, (rows, columns), dtype_name(dtype))


def at_least_zero(n):
    """A count where negative means none."""
    if is_unknown(n):
        return n
    if is_constant(n):
        return max(0, n)
    if proved(n >= 0):
        return n
    return unknown("a size that may be negative")


def steps(start, stop, step):
    """How many numbers a range has."""
    for part in (start, stop, step):
        if is_unknown(part) or not isinstance(part, (int, float)):
            return unknown("the length of a range")
    if is_constant(start) and is_constant(stop) and is_constant(step):
        if step == 0:
            raise ZeroDivisionError("the step of a range may not be zero")
        length = (stop - start) / step
        whole = int(length)
        if length > whole:
            whole = whole + 1
        return max(0, whole)
    if is_constant(step) and step == 1 and isinstance(start, int) and isinstance(stop, int):
        if proved(stop >= start):
            return stop - start
    return unknown("the length of a range")


def arange(*args, stop=None, step=None, dtype=None, device=None, like=None, start=None):
    if len(args) > 4:
        raise TypeError("arange takes at most four positional arguments")
    first = args[0] if len(args) > 0 else start
    last = args[1] if len(args) > 1 else stop
    by = args[2] if len(args) > 2 else step
    dtype = args[3] if len(args) > 3 else dtype
    if first is None:
        first = 0
    elif last is None:
        last = first
        first = 0
    if by is None:
        by = 1
    names = []
    for one in (first, last, by):
        shape, name, _ = array_like(one)
        if is_unknown(shape):
            names.append(unknown("a bound of a range"))
        else:
            names.append("int" if name == "bool" else name)
    common = unknown("the dtype of a range")
    if not is_unknown(names[0]) and not is_unknown(names[1]) and not is_unknown(names[2]):
        common = strong(promote(*names))
    first = as_index(first)
    last = as_index(last)
    by = as_index(by)
    length = steps(first, last, by)
    values = None
    if (
        is_constant(length)
        and length <= 256
        and dtype is None
        and isinstance(first, int)
        and isinstance(by, int)
        and isinstance(last, int)
        and is_constant(first)
    ):
        values = tuple([first + by * position for position in range(length)])
    return new_array(ndarray, (length,), dtype_name(dtype, common), values)


def spaced(start, stop, num, axis, dtype):
    """The array of `linspace` and its relatives."""
    num = as_index(num)
    if isinstance(num, float):
        require(False, TypeError, f"the number of samples must be an integer, not {num}", rule="float-dimension")
    if not is_unknown(num):
        require(num >= 0, ValueError, f"the number of samples may not be negative: {num}", rule="shape-argument")
    a, first, _ = array_like(start)
    b, second, _ = array_like(stop)
    if is_unknown(a) or is_unknown(b):
        return unknown("unknown bounds")
    shape = broadcast(a, b)
    name = dtype_name(dtype, mean_of(promote(promote(first, second), "float")))
    if not has_rank(shape):
        return new_array(ndarray, shape, name)
    axis = check_axis(axis, len(shape) + 1, AxisError)
    if is_unknown(axis):
        return new_array(ndarray, axis, name)
    return new_array(ndarray, shape[:axis] + (num,) + shape[axis:], name)


def evenly_spaced(start, stop, num, endpoint):
    """The samples, computed in NumPy's order of operations."""
    parts = num - 1 if endpoint else num
    if parts == 0:
        return [start]
    step = (stop - start) / parts
    values = [i * step + start for i in range(num)]
    if endpoint:
        values[-1] = stop
    return values


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    result = spaced(start, stop, num, axis, dtype)
    numbers = (
        is_constant((start, stop, num, endpoint)) and isinstance(start, (int, float)) and isinstance(stop, (int, float))
    )
    if numbers and dtype is None and isinstance(num, int) and 0 < num <= 256:
        set_values(result, evenly_spaced(start * 1.0, stop * 1.0, num, endpoint))
    if not is_constant(retstep):
        return unknown("samples, perhaps with their distance")
    if not retstep:
        return result
    return (result, unknown("a step"))


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if not isinstance(base, (int, float)):
        return unknown("powers of several bases")
    return spaced(start, stop, num, axis, dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    return spaced(start, stop, num, axis, dtype)


@lifted(as_array_arg, "m")
def triangle(m):
    """`tril` and `triu` keep matrices; a vector is repeated as rows."""
    shape = shape_of(m)
    if has_rank(shape):
        require(len(shape) >= 1, TypeError, "tril and triu need at least one dimension", rule="shape-argument")
        if len(shape) == 1:
            shape = (shape[0], shape[0])
    return new_array(ndarray, shape, dtype_of(m))


def tril(m, k=0):
    return triangle(m)


def triu(m, k=0):
    return triangle(m)


@lifted(as_array_arg, "v")
def diag(v, k=0):
    shape = shape_of(v)
    k = as_index(k)
    if not has_rank(shape):
        return new_array(ndarray, unknown("diag of an unknown rank"), dtype_of(v))
    if len(shape) == 1:
        if is_constant(k) and not is_unknown(shape[0]):
            side = shape[0] + abs(k)
        else:
            side = unknown("the side of a diagonal matrix")
        return new_array(ndarray, (side, side), dtype_of(v))
    require(len(shape) == 2, ValueError, f"diag needs a vector or a matrix, not shape {shape}", rule="shape-argument")
    return read_only(new_array(ndarray, (diagonal_length(shape[0], shape[1], k),), dtype_of(v)))


@lifted(as_array_arg, "v")
def diagflat(v, k=0):
    return diag(v.ravel(), k)


@lifted(as_array_arg, "x")
def vander(x, N=None, increasing=False):
    shape = shape_of(x)
    if not has_rank(shape):
        return unknown("vander of an unknown rank")
    require(len(shape) == 1, ValueError, f"vander needs a vector, not shape {shape}", rule="shape-argument")
    return new_array(ndarray, (shape[0], shape[0] if N is None else as_index(N)), strong(promote(dtype_of(x), "int")))


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    arrays = lift_all(xi)
    if is_unknown(arrays) or not has_rank(xi):
        return unknown("meshgrid of unknown vectors")
    if is_constant(indexing) and indexing not in ("xy", "ij"):
        raise ValueError("the indexing of meshgrid must be 'xy' or 'ij'")
    sizes = [element_count(shape_of(one)) for one in arrays]
    order = list(range(len(sizes)))
    if indexing == "xy" and len(sizes) > 1:
        order[0], order[1] = 1, 0
    full_shape = tuple([sizes[position] for position in order])
    result = []
    for position, one in enumerate(arrays):
        if sparse is False:
            shape = full_shape
        elif sparse is True:
            shape = tuple([sizes[axis] if axis == position else 1 for axis in order])
        else:
            shape = unknown("sparse is not known")
        result.append(new_array(ndarray, shape, dtype_of(one)))
    return tuple(result)


def indices(dimensions, dtype=int, sparse=False):
    if isinstance(dimensions, str):
        return unknown("indices of a text")
    sizes = as_sizes(dimensions)
    if not has_rank(sizes):
        return new_array(ndarray, sizes, dtype_name(dtype))
    if sparse:
        return tuple(
            [
                new_array(
                    ndarray, tuple([size if axis == place else 1 for axis, size in enumerate(sizes)]), dtype_name(dtype)
                )
                for place in range(len(sizes))
            ]
        )
    return new_array(ndarray, (len(sizes),) + sizes, dtype_name(dtype))


def fromfunction(function, shape, *, dtype=float, like=None, **kwargs):
    sizes = as_sizes(shape)
    if not has_rank(sizes):
        return unknown("fromfunction of an unknown shape")
    return call_back(function, *[new_array(ndarray, sizes, dtype_name(dtype)) for _ in sizes], **kwargs)


def fromiter(iter, dtype, count=-1, *, like=None):
    name = dtype_name(dtype)
    if is_unknown(name):
        # Items of a dtype with a shape of its own add axes.
        return new_array(ndarray, unknown("items of an unknown dtype"), name)
    if is_constant(count) and isinstance(count, int) and count >= 0:
        return new_array(ndarray, (count,), name)
    if isinstance(iter, (list, tuple, range)):
        return new_array(ndarray, (len(iter),), name)
    return new_array(ndarray, (unknown("the length of an iterable"),), name)


def fromstring(string, dtype=float, count=-1, *, sep, like=None):
    return new_array(ndarray, (unknown("the number of items in a string"),), dtype_name(dtype))


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, like=None):
    return new_array(ndarray, (unknown("the number of items in a buffer"),), dtype_name(dtype))


def below_diagonal(n, m):
    """The index arrays of a triangle, of unknown length."""
    length = unknown("the number of elements in a triangle")
    return (new_array(ndarray, (length,), "int64"), new_array(ndarray, (length,), "int64"))


def triangle_count(n, k, m, lower):
    """How many elements a triangle of an n by m matrix has."""
    n = as_index(n)
    k = as_index(k)
    m = n if m is None else as_index(m)
    if not (is_constant(n) and is_constant(k) and is_constant(m)) or n > 64 or m > 64:
        return unknown("the number of elements in a triangle")
    count = 0
    for row in range(n):
        for column in range(m):
            if lower and column - row <= k:
                count += 1
            if not lower and column - row >= k:
                count += 1
    return count


def index_pair(count):
    """Two index vectors of one length."""
    return (new_array(ndarray, (count,), "int64"), new_array(ndarray, (count,), "int64"))


def tril_indices(n, k=0, m=None):
    return index_pair(triangle_count(n, k, m, True))


def triu_indices(n, k=0, m=None):
    return index_pair(triangle_count(n, k, m, False))


def matrix_sides(arr):
    """The two sides of an argument that must be a matrix; None when it is not known."""
    arr = as_array_arg(arr)
    if is_unknown(arr) or not has_rank(shape_of(arr)):
        return None
    shape = shape_of(arr)
    require(len(shape) == 2, ValueError, f"the argument must be a matrix, not shape {shape}", rule="shape-argument")
    return shape


def tril_indices_from(arr, k=0):
    sides = matrix_sides(arr)
    if sides is None:
        return unknown("indices of an unknown matrix")
    return index_pair(triangle_count(sides[0], k, sides[1], True))


def triu_indices_from(arr, k=0):
    sides = matrix_sides(arr)
    if sides is None:
        return unknown("indices of an unknown matrix")
    return index_pair(triangle_count(sides[0], k, sides[1], False))


def diag_indices(n, ndim=2):
    n = as_index(n)
    if not is_constant(ndim):
        return unknown("an unknown number of index arrays")
    return tuple([new_array(ndarray, (n,), "int64") for _ in range(ndim)])


@lifted(as_array_arg, "arr", ranked=True)
def diag_indices_from(arr):
    shape = shape_of(arr)
    require(len(shape) >= 2, ValueError, "the argument must have at least rank 2", rule="shape-argument")
    for size in shape[1:]:
        require(
            size == shape[0], ValueError, f"all sides must have equal length, not {shape}", rule="linalg-not-square"
        )
    return diag_indices(shape[0], len(shape))


def ix_(*args):
    count = len(args)
    result = []
    for position, one in enumerate(args):
        one = as_array_arg(one)
        if is_unknown(one) or not has_rank(shape_of(one)):
            return unknown("ix_ of an unknown index")
        shape = shape_of(one)
        require(len(shape) == 1, ValueError, f"ix_ needs vectors, not shape {shape}", rule="shape-argument")
        name = dtype_of(one)
        values = values_of(one)
        size = shape[0]
        if is_unknown(name):
            return unknown("ix_ of an unknown index")
        if is_constant(size) and size == 0:
            name = "int64"
        if name == "bool":
            chosen = None
            if values is not None:
                chosen = tuple([place for place, value in enumerate(values) if value])
                size = len(chosen)
            else:
                size = unknown("a number of true elements")
            values = chosen
            name = "int64"
        result.append(new_array(ndarray, (1,) * position + (size,) + (1,) * (count - position - 1), name, values))
    return tuple(result)


def window(M):
    """A window function of M points."""
    if isinstance(M, complex):
        return unknown("a window of a complex number of points")
    return new_array(ndarray, (at_least_zero(as_index(M)),), "float64")


def blackman(M):
    return window(M)


def bartlett(M):
    return window(M)


def hamming(M):
    return window(M)


def hanning(M):
    return window(M)


def kaiser(M, beta):
    return window(M)


def grid_sides(key):
    """The lengths along each axis of `mgrid` and `ogrid`, and whether all are integers."""
    if isinstance(key, slice):
        key = (key,)
    if not isinstance(key, tuple) or not has_rank(key):
        return None
    sides = []
    for one in key:
        if not isinstance(one, slice) or is_unknown(one.stop) or is_unknown(one.step) or is_unknown(one.start):
            return None
        sides.append(slice_length(one))
    return sides


def slice_length(one):
    """How many points a slice of `mgrid` or `r_` has: an imaginary step is a number of points."""
    start = 0 if one.start is None else as_index(one.start)
    step = 1 if one.step is None else one.step
    if isinstance(step, complex):
        return int(abs(step)) if is_constant(step) else unknown("a number of points")
    return steps(start, as_index(one.stop), as_index(step))


def slice_dtype(one):
    """The dtype of the points of a slice."""
    for part in (one.start, one.stop, one.step):
        if isinstance(part, (float, complex)):
            return "float64"
        if part is not None and not isinstance(part, int):
            return unknown("the dtype of a grid")
    return "int64"


class _Grid:
    """`mgrid` and `ogrid`."""

    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        sides = grid_sides(key)
        if sides is None:
            return unknown("an unknown grid")
        if isinstance(key, slice):
            return new_array(ndarray, (sides[0],), slice_dtype(key))
        if len(sides) == 0:
            return unknown("a grid of no axes")
        names = [slice_dtype(one) for one in key]
        name = names[0]
        for other in names[1:]:
            if is_unknown(name) or is_unknown(other):
                name = unknown("the dtype of a grid")
            else:
                name = promote(name, other)
        if self.sparse:
            return tuple(
                [
                    new_array(ndarray, tuple([side if axis == place else 1 for axis, side in enumerate(sides)]), name)
                    for place in range(len(sides))
                ]
            )
        return new_array(ndarray, (len(sides),) + tuple(sides), name)


mgrid = _Grid(False)
ogrid = _Grid(True)
