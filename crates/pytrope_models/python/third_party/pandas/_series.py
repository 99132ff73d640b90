"""`pandas.Series`: a column and how many values it has."""

from _pytrope import array, fresh, is_constant, is_unknown, require, set_attrs, unknown

from _open import OpenOperators

from numpy import ndarray

from ._applied import try_function
from ._arguments import vector_parts

# Types whose columns are NumPy arrays inside.
PLAIN = ("float64", "float32", "int64", "int32", "bool")


class Series(OpenOperators):
    def __init__(self, data=None, index=None, dtype=None, name=None, copy=None):
        size, kind = vector_parts(data)
        self._pytrope_size = size
        self._pytrope_dtype = kind if dtype is None else unknown("a dtype")

    def __getattr__(self, name):
        return unknown("a part of a series that is not modelled")

    def __setattr__(self, name, value):
        """`series.index = labels` makes an index of them: what is read again is not what was stored."""
        if name.startswith("_pytrope"):
            set_attrs(self, **{name: value})

    def apply(self, func, convert_dtype=None, args=(), **kwargs):
        if "by_row" not in kwargs:
            try_function(func, self._pytrope_size, args, kwargs)
        return unknown("what a function makes of a series")

    def map(self, arg, na_action=None, **kwargs):
        if na_action is None:
            try_function(arg, self._pytrope_size, (), kwargs)
        return unknown("what a function makes of a series")

    @property
    def shape(self):
        return unknown("a shape") if is_unknown(self._pytrope_size) else (self._pytrope_size,)

    @property
    def size(self):
        return self._pytrope_size

    @property
    def values(self):
        """Strings, categories and the like are not kept in NumPy arrays."""
        kind = self._pytrope_dtype
        return self.to_numpy() if is_constant(kind) and kind in PLAIN else unknown("the values of a series")

    def to_numpy(self, dtype=None, copy=False, na_value=None):
        if is_unknown(self._pytrope_size):
            return unknown("the values of a series")
        return array(ndarray, (self._pytrope_size,), unknown("the dtype of a series"))

    def __len__(self):
        return self._pytrope_size

    def __bool__(self):
        require(
            False,
            ValueError,
            "the truth value of a Series is ambiguous: use any(), all() or empty",
            rule="shape-argument",
        )

    def _pytrope_compared(self, other):
        """A comparison has a value for each row; two series must have the same labels, so that nothing is lost."""
        return column(self._pytrope_size, "bool")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _pytrope_compared

    def __and__(self, other):
        return column(unknown("a size") if isinstance(other, Series) else self._pytrope_size, unknown("a dtype"))

    __or__ = __xor__ = __and__

    def __invert__(self):
        return column(self._pytrope_size, self._pytrope_dtype)

    __neg__ = __invert__

    def _pytrope_computed(self, other):
        """A number leaves the length; another series is aligned by its labels first."""
        if isinstance(other, (int, float)):
            return column(self._pytrope_size, unknown("a dtype"))
        return unknown("the result of an operation with a series")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _pytrope_computed
    __floordiv__ = __mod__ = __pow__ = _pytrope_computed

    def isna(self):
        return column(self._pytrope_size, "bool")

    isnull = notna = notnull = isna

    def isin(self, values):
        return column(self._pytrope_size, "bool")

    def copy(self, deep=True):
        return column(self._pytrope_size, self._pytrope_dtype)

    def astype(self, dtype, copy=None, errors="raise"):
        return column(self._pytrope_size, unknown("a dtype"))


def column(size, kind):
    """A series of a size."""
    made = Series()
    made._pytrope_size = size
    made._pytrope_dtype = kind
    return made
