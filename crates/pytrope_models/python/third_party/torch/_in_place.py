"""Operations that write into their tensor and say what may be written: products, indices, distributions."""

from _pytrope import dtype_of, is_unknown, product, proved, require, shape_of

from . import _dtypes
from ._elementwise import changed, changed_real, fits, has_kernel, in_place, masked_fill_
from ._indexing import index_copy
from ._make import axis, is_tensor, ranked, tensor_arg
from ._scattering import renorm
from ._versions import IS_NEW


def one_type(self, src, operation):
    """Requires what is written to have the type of the elements it replaces."""
    own, given = dtype_of(self), dtype_of(src)
    if not is_unknown(own) and not is_unknown(given):
        message = f"{operation} writes {given} into a tensor of {own}"
        require(own == given, RuntimeError, message, rule="bad-operand")


def index_copy_(self, dim, index, source):
    given = tensor_arg(source, "source")
    one_type(self, given, "index_copy_")
    index_copy(self, dim, index, given)
    return changed(self)


def put_(self, index, source, accumulate=False):
    chosen, given = tensor_arg(index, "index"), tensor_arg(source, "source")
    one_type(self, given, "put_")
    if ranked(chosen) and ranked(given):
        count, places = product(shape_of(given)), product(shape_of(chosen))
        require(count == places, IndexError, f"put_ has {places} places for {count} elements")
    return changed(self)


def index_put_(self, indices, values, accumulate=False):
    given = tensor_arg(values, "values")
    if isinstance(indices, (tuple, list)) and not is_unknown(indices):
        self[tuple(indices)] = given
    one_type(self, given, "index_put_")
    return changed(self)


def masked_scatter_(self, mask, source):
    given = tensor_arg(source, "source")
    one_type(self, given, "masked_scatter_")
    fits(shape_of(tensor_arg(mask, "mask")), shape_of(self))
    return changed(self)


def fill_(self, value):
    if is_tensor(value) and ranked(value):
        require(
            len(shape_of(value)) == 0,
            RuntimeError,
            f"fill_ takes a number or a tensor without dimensions, not shape {shape_of(value)}",
        )
    return changed(self)


def masked_by(self, mask, value):
    """masked_fill_"""
    chosen = tensor_arg(mask, "mask")
    if IS_NEW:
        has_kernel(dtype_of(chosen), (0,), "a mask", RuntimeError)
    return masked_fill_(self, chosen, value)


def addmm_(self, mat1, mat2, *, beta=1, alpha=1):
    from ._products import mm

    return _product_into(self, mm(mat1, mat2), "addmm_")


def addmv_(self, mat, vec, *, beta=1, alpha=1):
    from ._products import mv

    return _product_into(self, mv(mat, vec), "addmv_")


def addr_(self, vec1, vec2, *, beta=1, alpha=1):
    from ._products import outer

    return _product_into(self, outer(vec1, vec2), "addr_")


def _product_into(self, made, operation):
    if ranked(self) and ranked(made):
        own, shape = shape_of(self), shape_of(made)
        message = f"{operation} of a product of shape {shape} into a tensor of shape {own}"
        require(len(own) == len(shape), RuntimeError, message, rule="matmul-mismatch")
        for size, wanted in zip(own, shape):
            require(size == wanted, RuntimeError, message, rule="matmul-mismatch")
    kind, given = _dtypes.category(dtype_of(self)), _dtypes.category(dtype_of(made))
    if not is_unknown(kind) and not is_unknown(given):
        message = f"{operation} writes {dtype_of(made)} into a tensor of {dtype_of(self)}"
        require(kind >= given, RuntimeError, message, rule="bad-operand")
    return changed(self)


def hypot_(self, other):
    made = in_place(self, other)
    has_kernel(_dtypes.result(self, other), (2,), "hypot")
    return made


def continuous(self, *args, **kwargs):
    """exponential_ and cauchy_ draw real numbers."""
    if not (ranked(self) and [size for size in shape_of(self) if not proved(size > 0)]):
        has_kernel(dtype_of(self), (2,), "a distribution of real numbers", RuntimeError)
    return changed(self)


def geometric_(self, p, *, generator=None):
    has_kernel(dtype_of(self), (1, 2), "geometric_")
    return changed(self)


def frac_(self):
    has_kernel(dtype_of(self), (2,), "frac")
    return changed(self)


def scan_(self, dim, *, dtype=None):
    """cumsum_ and cumprod_."""
    if ranked(self) and not is_unknown(dim):
        axis(dim, len(shape_of(self)))
    return changed(self)


def renorm_(self, p, dim, maxnorm):
    renorm(self, p, dim, maxnorm)
    return changed(self)


def polygamma_(self, n):
    return changed_real(self)
