"""`numpy.dtype`, and what may be written where a dtype is asked for."""

from _pytrope import is_unknown, unknown

from ._dtypes import ALIASES, KINDS, LETTERS, SIZES


class dtype:
    """An element type; structured and other types are Unknown."""

    def __new__(cls, dtype=None, align=False, copy=False, **kwargs):
        name = dtype_name(dtype)
        if is_unknown(name):
            return unknown("a dtype that is not modelled")
        self = object.__new__(cls)
        self.name = name
        self.kind = KINDS[name]
        self.itemsize = SIZES[name]
        self.char = LETTERS[name]
        self.num = unknown("the number of a dtype")
        self.alignment = SIZES[name]
        self.names = None
        self.fields = None
        self.subdtype = None
        self.shape = ()
        self.ndim = 0
        self.hasobject = False
        self.byteorder = unknown("a byte order")
        self.str = unknown("a dtype string")
        self.descr = unknown("a dtype description")
        self.type = unknown("a scalar type")
        self.base = self
        self.metadata = None
        self.isbuiltin = 1
        self.isnative = True
        self.flags = unknown("flags of a dtype")
        return self

    def __eq__(self, other):
        if is_unknown(other):
            return other
        name = dtype_name(other)
        if is_unknown(name):
            return unknown("a comparison of dtypes")
        return name == self.name

    def __ne__(self, other):
        if is_unknown(other):
            return other
        name = dtype_name(other)
        if is_unknown(name):
            return unknown("a comparison of dtypes")
        return name != self.name

    def __hash__(self):
        return hash(self.name)

    def newbyteorder(self, new_order="S"):
        return unknown("another byte order")


def dtype_name(given, default="float64"):
    """The name of whatever was written as a dtype; Unknown when it is not modelled."""
    if given is None:
        return default
    if is_unknown(given):
        return given
    if isinstance(given, str):
        text = given
        if len(text) > 1 and text[0] in "<=|":
            text = text[1:]
        return ALIASES.get(text, unknown("a dtype that is not modelled"))
    if isinstance(given, dtype):
        return given.name
    if given is float:
        return "float64"
    if given is int:
        return "int64"
    if given is bool:
        return "bool"
    if given is complex:
        return "complex128"
    if isinstance(given, type):
        return getattr(given, "_dtype_name", unknown("a dtype that is not modelled"))
    return unknown("a dtype that is not modelled")
