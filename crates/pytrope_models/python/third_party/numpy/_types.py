"""`numpy.dtype`, and what may be written where a dtype is asked for."""

from _pytrope import is_array, is_constant, is_unknown, require, unknown

from ._dtypes import ALIASES, KINDS, LETTERS, SIZES


def known(name, value):
    """A property of a modelled dtype; Unknown for all others."""
    if is_unknown(name):
        return unknown("a property of a dtype that is not modelled")
    return value


class dtype:
    """An element type; all that is known of it is its name."""

    def __init__(self, dtype=None, align=False, copy=False, **kwargs):
        # `type(np.dtype("S"))` is another class, which takes a number of characters.
        self._name = "float64" if dtype is None else written_dtype(dtype)
        self._fields = None
        if is_unknown(self._name):
            # A structured type has fields instead of a name.
            from ._fields import fields_given

            self._fields = fields_given(dtype)
            self._is_packed = is_constant(align) and not align

    @property
    def name(self):
        return self._name

    @property
    def kind(self):
        return known(self._name, KINDS.get(self._name))

    @property
    def itemsize(self):
        if self._fields is not None and not is_unknown(self._fields) and self._is_packed:
            from ._fields import bytes_of

            return bytes_of(self._fields)
        return known(self._name, SIZES.get(self._name))

    @property
    def alignment(self):
        return known(self._name, SIZES.get(self._name))

    @property
    def char(self):
        return known(self._name, LETTERS.get(self._name))

    @property
    def names(self):
        if self._fields is not None and not is_unknown(self._fields):
            return tuple([name for name, _, _ in self._fields])
        return known(self._name, None)

    @property
    def fields(self):
        return known(self._name, None)

    @property
    def subdtype(self):
        return known(self._name, None)

    @property
    def shape(self):
        return known(self._name, ())

    @property
    def ndim(self):
        return known(self._name, 0)

    @property
    def hasobject(self):
        return known(self._name, False)

    @property
    def type(self):
        return unknown("a scalar type")

    @property
    def str(self):
        return unknown("a dtype string")

    @property
    def descr(self):
        return unknown("a dtype description")

    @property
    def num(self):
        return unknown("the number of a dtype")

    @property
    def byteorder(self):
        return unknown("a byte order")

    @property
    def isnative(self):
        return unknown("a byte order")

    @property
    def isbuiltin(self):
        return unknown("a kind of dtype")

    @property
    def base(self):
        return self

    @property
    def metadata(self):
        return unknown("metadata of a dtype")

    @property
    def flags(self):
        return unknown("flags of a dtype")

    def __eq__(self, other):
        if is_unknown(other):
            return other
        name = written_dtype(other)
        if is_unknown(name):
            return unknown("a comparison of dtypes")
        return known(self._name, name == self._name)

    def __ne__(self, other):
        if is_unknown(other):
            return other
        name = written_dtype(other)
        if is_unknown(name):
            return unknown("a comparison of dtypes")
        return known(self._name, name != self._name)

    def __hash__(self):
        return unknown("the hash of a dtype")

    def __len__(self):
        return unknown("a number of fields") if self._fields is None else len(self._fields)

    def __getitem__(self, key):
        if self._fields is None or is_unknown(self._fields) or not is_constant(key) or not isinstance(key, str):
            return unknown("a field of a dtype")
        for name, kind, sizes in self._fields:
            if name == key:
                return unknown("a dtype with sizes") if sizes or is_unknown(kind) else dtype(kind)
        raise KeyError(f"Field named {key!r} not found.")

    def newbyteorder(self, new_order="S"):
        return unknown("another byte order")


def dtype_name(given, default="float64"):
    """The name of what a function was given as `dtype`."""
    if given is None:
        return default
    if is_unknown(given):
        return given
    if isinstance(given, (int, float)) and not is_array(given):
        require(
            False,
            TypeError,
            f"{given} is not a data type",
            rule="shape-argument",
            help="the sizes of several axes are one tuple, such as (2, 3)",
        )
    return written_dtype(given)


def written_dtype(given):
    """The name of whatever was written as a dtype; Unknown when it is not modelled, or no dtype at all."""
    if is_unknown(given):
        return given
    if isinstance(given, str):
        text = given
        if len(text) > 1 and text[0] in "<=|":
            text = text[1:]
        return ALIASES.get(text, unknown("a dtype that is not modelled"))
    if isinstance(given, dtype):
        return given._name
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


GROUPS = {
    "generic": "biufc",
    "number": "iufc",
    "integer": "iu",
    "signedinteger": "i",
    "unsignedinteger": "u",
    "inexact": "fc",
    "floating": "f",
    "complexfloating": "c",
}


def issubdtype(arg1, arg2):
    """Whether a dtype belongs to another or to a group such as `np.floating`."""
    if is_unknown(arg1) or is_unknown(arg2):
        return unknown("whether a dtype belongs to another")
    name = dtype_name(arg1)
    if is_unknown(name):
        return unknown("whether a dtype belongs to another")
    if isinstance(arg2, type):
        group = getattr(arg2, "_dtype_group", None)
        if group is not None:
            return KINDS[name] in GROUPS[group]
    other = dtype_name(arg2)
    if is_unknown(other):
        return unknown("whether a dtype belongs to another")
    return name == other
