"""The Tensor class: its facts, its conversions, and the methods that the families give it."""

from _pytrope import (
    closed_world,
    dtype_of,
    has_rank,
    has_values,
    is_array,
    is_assuming,
    is_constant,
    is_unknown,
    product,
    require,
    set_shape,
    shape_of,
    some,
    unknown,
    values_of,
)

from . import _dtypes
from ._creation import Creation
from ._elementwise_methods import Elementwise
from . import _in_place
from ._indexing import Indexing
from ._joining import Joining
from ._matrices import Matrices
from ._layout import in_row_major, kept_order
from ._make import alike, axis, tensor_arg, is_tensor, ranked, tensor, unranked
from ._origin import OPEN, certain, device_of, leave_memory, moved, needs_grad, start_backward
from ._products import Products
from ._reductions import Reductions
from ._reshaping import Reshaping
from ._values import forget, mapped, part
from ._versions import IS_NEW, IS_OLD, by_release


class Size(tuple):
    """The class of shapes. Models hand out shapes as plain tuples, whose sizes join item by item, so that which
    tuples are of this class is left open."""

    __abstract__ = True

    def __new__(cls, sizes=()):
        return tuple(sizes)


class Tensor(Elementwise, Reductions, Reshaping, Joining, Indexing, Creation, Products, Matrices):
    def _of_shape(self, shape, dtype, is_reduced=False):
        """A new tensor, for libraries that work on arrays of any kind."""
        return tensor(shape, dtype)

    def _stack_of(self, tensors):
        from ._joining import stack

        return stack(tensors)

    def _joined_with(self, tensors, dim):
        from ._joining import cat

        return cat(tensors, dim)

    def _sum_error(self):
        return RuntimeError

    def _common_dtype(self, tensors):
        return dtype_of(self)

    @classmethod
    def _pytrope_sized(cls, sizes):
        """What `Tensor[[B, C]]` says in an annotation."""
        from pytrope.hints import ShapeHint

        return ShapeHint(cls, sizes)

    # Tensors with the same memory, as far as elements are followed.
    _kin = None
    # Device and gradients, see `_origin`.
    _origin = None
    _is_freed = False
    _is_noncontiguous = False
    _neighbours = None
    # How it lies in memory, see `_layout`.
    _strides = None
    grad_fn = unknown("the graph")
    names = unknown("names")
    layout = unknown("layout")
    is_cuda = unknown("the device")
    is_quantized = False
    is_leaf = unknown("the graph")

    def __new__(cls, *data, device=None):
        return legacy(data, "float32")

    def __init__(self, *data, **named):
        pass

    index_copy_ = _in_place.index_copy_
    index_put_ = _in_place.index_put_
    put_ = _in_place.put_
    masked_scatter_ = _in_place.masked_scatter_
    masked_fill_ = _in_place.masked_by
    fill_ = _in_place.fill_
    addmm_ = _in_place.addmm_
    addmv_ = _in_place.addmv_
    addr_ = _in_place.addr_
    hypot_ = _in_place.hypot_
    exponential_ = cauchy_ = _in_place.continuous
    geometric_ = _in_place.geometric_
    frac_ = _in_place.frac_
    cumsum_ = cumprod_ = _in_place.scan_
    renorm_ = _in_place.renorm_
    polygamma_ = _in_place.polygamma_

    @property
    def shape(self):
        return shape_of(self)

    @property
    def ndim(self):
        return len(shape_of(self))

    @property
    def dtype(self):
        return _dtypes.value(dtype_of(self))

    @property
    def device(self):
        if closed_world():
            from ._modes import some_device

            return some_device
        return unknown("the device")

    @property
    def requires_grad(self):
        return bool(unknown("whether gradients are kept"))

    @requires_grad.setter
    def requires_grad(self, value):
        self._origin = (device_of(self), value, True, False)

    # `backward` of whatever depends on it changes the gradient, never its shape.
    @property
    def grad(self):
        if not certain(needs_grad(self), True):
            return unknown("the gradient")
        return None if unknown("whether a gradient has arrived") else tensor(shape_of(self), dtype_of(self))

    @grad.setter
    def grad(self, value):
        pass

    @property
    def data(self):
        return part(self, shape_of(self))

    @data.setter
    def data(self, value):
        forget(self)
        self._strides = None
        set_shape(self, shape_of(value) if is_array(value) else unknown("the shape of what was put in place"))

    @property
    def is_sparse(self):
        return False

    def resize_(self, *sizes, memory_format=None):
        forget(self)
        self._strides = None
        if not has_rank(sizes):
            set_shape(self, unknown("a shape that was changed in place"))
        elif len(sizes) == 1 and not isinstance(sizes[0], int):
            set_shape(
                self,
                tuple(sizes[0])
                if isinstance(sizes[0], (tuple, list)) and has_rank(sizes[0])
                else unknown("a shape that was changed in place"),
            )
        else:
            set_shape(self, tuple(sizes))
        return self

    def resize_as_(self, other, memory_format=None):
        forget(self)
        self._strides = None
        set_shape(self, shape_of(other) if is_array(other) else unknown("a shape that was changed in place"))
        return self

    def set_(self, *source, **options):
        forget(self)
        self._strides = None
        set_shape(self, unknown("a shape that was changed in place"))
        return self

    @property
    def real(self):
        return tensor(shape_of(self), None)

    @property
    def imag(self):
        kind = _dtypes.category(dtype_of(self))
        if (IS_OLD or IS_NEW) and not is_unknown(kind):
            require(
                kind == 3,
                by_release(RuntimeError, TypeError),
                "imag is not implemented for tensors with non-complex dtypes",
                rule="bad-operand",
            )
        return tensor(shape_of(self), None)

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return unknown("bytes")

    def size(self, dim=None):
        shape = shape_of(self)
        if is_unknown(dim):
            return unknown("which size is not known")
        if dim is None:
            return shape
        if not ranked(self):
            return shape[dim]
        require(len(shape) > 0, IndexError, "a scalar has no sizes", rule="axis-out-of-range")
        return shape[axis(dim, len(shape))]

    def dim(self):
        return len(shape_of(self))

    def ndimension(self):
        return len(shape_of(self))

    def __len__(self):
        shape = shape_of(self)
        if is_constant(len(shape)):
            require(len(shape) > 0, TypeError, "len() of a 0-d tensor")
        return shape[0]

    def __iter__(self):
        return iter(self.unbind(0))

    def __contains__(self, element):
        return bool(unknown("the elements are not known"))

    def __bool__(self):
        return truth(single(self, RuntimeError))

    def __format__(self, format_spec):
        shape = shape_of(self)
        if has_rank(shape):
            message = "unsupported format string passed to Tensor.__format__"
            require(len(shape) == 0, TypeError, message, rule="bad-operand")
        return unknown("the text of a tensor")

    def __int__(self):
        return int(single(self))

    def __index__(self):
        return int(single(self))

    def __float__(self):
        return float(single(self))

    def __hash__(self):
        return unknown("a hash")

    def item(self):
        return converted(single(self, by_release(ValueError, RuntimeError)), dtype_of(self))

    def tolist(self):
        known = values_of(self)
        shape = shape_of(self)
        if ranked(self) and len(shape) == 0:
            return converted(single(self), dtype_of(self))
        if ranked(self) and is_constant(shape) and product(shape) <= LISTED:
            if known is None:
                known = [
                    converted(unknown("the elements are not known"), dtype_of(self)) for _ in range(product(shape))
                ]
            return nested(list(known), shape)
        return unknown("the elements are not known")

    def numpy(self, *, force=False):
        from numpy import ndarray

        from _pytrope import array

        forget(self)
        if force is False:
            leave_memory(self)
        return array(ndarray, shape_of(self), dtype_of(self))

    def __copy__(self):
        return tensor(shape_of(self), dtype_of(self), values_of(self))

    def __deepcopy__(self, memo):
        return tensor(shape_of(self), dtype_of(self), values_of(self))

    def __array__(self, dtype=None):
        return self.numpy()

    def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None):
        chosen = dtype_of(self)
        for argument in args:
            if is_unknown(argument):
                chosen = unknown("the dtype is not known")
                device = argument
            elif isinstance(argument, _dtypes.dtype):
                chosen = argument.name
            elif isinstance(argument, type):
                # `x.to(bool)`: Python's types stand for element types too.
                chosen = unknown("the dtype is not known")
            elif is_tensor(argument):
                chosen = dtype_of(argument)
                device = device_of(argument)
            elif not isinstance(argument, bool):
                device = argument
        return moved(self._cast(_dtypes.name(dtype, chosen)), self, device)

    def type(self, dtype=None, non_blocking=False):
        if is_assuming() and is_unknown(dtype):
            return self.to(dtype=dtype)
        if dtype is None:
            return some(str)
        return self.to(dtype=dtype)

    def type_as(self, other):
        return self.to(tensor_arg(other, "other"))

    def _cast(self, name):
        if not has_values(self):
            return kept_order(self, alike(self, name))
        own = dtype_of(self)
        if is_unknown(name) or is_unknown(own) or name == own:
            # Without a conversion the result may be the tensor itself.
            forget(self)
            return alike(self, name)
        return mapped("cast", self, name)

    def float(self, memory_format=None):
        return moved(self._cast("float32"), self, None)

    def double(self, memory_format=None):
        return moved(self._cast("float64"), self, None)

    def half(self, memory_format=None):
        return moved(self._cast("float16"), self, None)

    def bfloat16(self, memory_format=None):
        return moved(self._cast("bfloat16"), self, None)

    def long(self, memory_format=None):
        return moved(self._cast("int64"), self, None)

    def int(self, memory_format=None):
        return moved(self._cast("int32"), self, None)

    def short(self, memory_format=None):
        return self._cast("int16")

    def char(self, memory_format=None):
        return self._cast("int8")

    def byte(self, memory_format=None):
        return self._cast("uint8")

    def bool(self, memory_format=None):
        return self._cast("bool")

    def cpu(self, memory_format=None):
        return self.to("cpu")

    def cuda(self, device=None, non_blocking=False, memory_format=None):
        return self.to(device="cuda")

    def contiguous(self, memory_format=None):
        made = self.to(dtype=None)
        if made._is_noncontiguous:
            made._is_noncontiguous = False
        return in_row_major(made) if memory_format is None else made

    def pin_memory(self, device=None):
        return self.to(dtype=None)

    def is_contiguous(self, memory_format=None):
        return truth(unknown("the strides are not known"))

    def is_floating_point(self):
        kind = _dtypes.category(dtype_of(self))
        return truth(unknown("the dtype is not known")) if is_unknown(kind) else kind == 2

    def is_complex(self):
        kind = _dtypes.category(dtype_of(self))
        return truth(unknown("the dtype is not known")) if is_unknown(kind) else kind == 3

    def requires_grad_(self, requires_grad=True):
        kind = _dtypes.category(dtype_of(self))
        if requires_grad is True and not is_unknown(kind):
            require(
                kind >= 2,
                RuntimeError,
                f"only tensors of floats or complex numbers can require gradients, not {dtype_of(self)}",
            )
        self._origin = (device_of(self), requires_grad, True, False)
        return self

    def retain_grad(self):
        return None

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        if gradient is None and ranked(self):
            require(
                product(shape_of(self)) == 1,
                RuntimeError,
                f"backward() without a gradient needs a scalar, not shape {shape_of(self)}",
            )
        if inputs is None:
            start_backward(self, retain_graph, create_graph)
        return None

    def register_hook(self, hook):
        return unknown("a handle")

    def stride(self, dim=None):
        return unknown("the strides are not known")

    def storage_offset(self):
        return unknown("the storage")

    def data_ptr(self):
        return unknown("an address")

    def element_size(self):
        return self.dtype.itemsize

    def get_device(self):
        return unknown("the device")

    def apply_(self, function):
        forget(self)
        return self

    def map_(self, other, function):
        forget(self)
        return self

    def share_memory_(self):
        return self

    def new(self, *args, **kwargs):
        return unranked(dtype_of(self))

    def inverse(self):
        from .linalg import inv

        return inv(self)

    def det(self):
        from .linalg import det

        return det(self)

    def cholesky(self, upper=False):
        from .linalg import cholesky

        return cholesky(self)

    def pinverse(self):
        from .linalg import pinv

        return pinv(self)

    def matrix_power(self, n):
        from .linalg import matrix_power

        return matrix_power(self, n)

    def matrix_exp(self):
        from .linalg import matrix_exp

        return matrix_exp(self)


# How many elements a list of them has at most.
LISTED = 256


def nested(items, shape):
    """The items in lists of lists, as the shape says."""
    if len(shape) == 1:
        return items
    step = product(shape[1:])
    return [nested(items[place * step : (place + 1) * step], shape[1:]) for place in range(shape[0])]


def truth(value):
    """A bool of which nothing is known; the class body shadows the builtin's name."""
    return bool(value)


def single(x, wrong=ValueError):
    """The one element of a tensor; more or none raise."""
    if ranked(x):
        require(
            product(shape_of(x)) == 1,
            wrong,
            f"only a tensor with one element can be converted to a number, but this one has shape {shape_of(x)}",
        )
    known = values_of(x)
    if known is not None and not is_unknown(known) and len(known) == 1:
        return known[0]
    return unknown("the elements are not known")


def converted(value, dtype):
    if not is_unknown(value):
        return value
    kind = _dtypes.category(dtype)
    if is_unknown(kind):
        return unknown("the elements are not known")
    if dtype == "bool":
        return truth(value)
    return int(value) if kind == 1 else float(value)


def legacy(data, dtype):
    """torch.Tensor(2, 3), torch.Tensor([1, 2]), torch.LongTensor(...)."""
    from ._creation import from_data, made

    if len(data) == 0:
        return tensor((0,), dtype)
    if len(data) == 1 and not isinstance(data[0], int):
        if isinstance(data[0], tuple):
            # A `torch.Size` is a size, any other tuple is data.
            return unranked(dtype)
        if is_unknown(data[0]) or is_array(data[0]):
            return unranked(dtype) if is_unknown(data[0]) else tensor(shape_of(data[0]), dtype)
        return tensor(shape_of(from_data(data[0])), dtype)
    return made(data, dtype)


def FloatTensor(*data):
    return legacy(data, "float32")


def DoubleTensor(*data):
    return legacy(data, "float64")


def HalfTensor(*data):
    return legacy(data, "float16")


def LongTensor(*data):
    return legacy(data, "int64")


def IntTensor(*data):
    return legacy(data, "int32")


def BoolTensor(*data):
    return legacy(data, "bool")


def ByteTensor(*data):
    return legacy(data, "uint8")
