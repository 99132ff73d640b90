"""Structured arrays: their fields, by name. Elements are not followed.

An array of records is an object of its own, whose fields are arrays. What else it inherits from `ndarray` is Unknown.
"""

from _pytrope import (
    array,
    has_rank,
    index_shape,
    is_constant,
    is_unknown,
    product,
    repeat,
    require,
    shape_of,
    unknown,
)

from _shapes import as_sizes, check_sizes

from ._array import ndarray, wrap
from ._types import dtype


class Record(unknown("numpy.void, which records are instances of")):
    """One record."""

    def __init__(self, fields):
        self._fields = fields

    @property
    def dtype(self):
        return dtype_with(self._fields)

    @property
    def shape(self):
        return ()

    @property
    def ndim(self):
        return 0

    def __len__(self):
        return len(self._fields)

    def __getitem__(self, key):
        return field_of(self._fields, (), key) if isinstance(key, str) else self._fields_at(key)

    def __setitem__(self, key, value):
        if isinstance(key, str):
            store_field(self._fields, (), key, value)

    def _fields_at(self, position):
        if is_constant(position) and isinstance(position, int):
            count = len(self._fields)
            require(
                -count <= position < count,
                IndexError,
                f"field {position} of a record that has {count}",
                rule="index-out-of-bounds",
            )
        return unknown("a part of a record")


class Records(unknown("numpy.ndarray, which arrays of records are instances of")):
    """An array of records."""

    def __init__(self, sizes, fields):
        self._sizes = sizes
        self._fields = fields

    @property
    def shape(self):
        return self._sizes

    @shape.setter
    def shape(self, sizes):
        self._sizes = unknown("a shape that is set")

    @property
    def ndim(self):
        return len(self._sizes)

    @property
    def size(self):
        return product(self._sizes)

    @property
    def dtype(self):
        return dtype_with(self._fields)

    @dtype.setter
    def dtype(self, given):
        self._fields = unknown("fields that are set")

    def copy(self, order="C"):
        return Records(self._sizes, self._fields)

    def __len__(self):
        if has_rank(self._sizes) and len(self._sizes) == 0:
            raise TypeError("len() of an array without axes")
        return self._sizes[0] if has_rank(self._sizes) else unknown("the length of an unknown array")

    def __iter__(self):
        if not has_rank(self._sizes) or len(self._sizes) == 0:
            return unknown("the records of an unknown array")
        rest = self._sizes[1:]
        return iter(repeat(Records(rest, self._fields) if rest else Record(self._fields), self._sizes[0]))

    def __getitem__(self, key):
        if isinstance(key, str):
            return field_of(self._fields, self._sizes, key)
        if is_unknown(key) or is_unknown(self._sizes) or (isinstance(key, list) and names_in(key)):
            return unknown("a part of an array of records")
        sizes = index_shape(self._sizes, key)
        if is_unknown(sizes):
            return unknown("a part of an array of records")
        return Record(self._fields) if has_rank(sizes) and len(sizes) == 0 else Records(sizes, self._fields)

    def __setitem__(self, key, value):
        if isinstance(key, str):
            store_field(self._fields, self._sizes, key, value)
        elif not is_unknown(key):
            # An index that does not fit is refused before the value is looked at.
            self[key]


def names_in(key):
    """Whether a list may hold names of fields."""
    for one in key:
        if not isinstance(one, (int, bool)):
            return True
    return False


def dtype_with(fields):
    """The element type of these fields."""
    made = dtype(unknown("a structured element type"))
    made._fields = fields
    return made


def field_named(fields, name):
    """`(element type, sizes)` of a field; Unknown where names are not known."""
    if is_unknown(fields) or not is_constant(name):
        return unknown("a field by an unknown name")
    found = None
    for own, kind, sizes in fields:
        if own == name:
            found = (kind, sizes)
    require(
        found is not None,
        ValueError,
        f"no field of name {name!r}; the fields are {', '.join([repr(own) for own, _, _ in fields])}",
        rule="shape-argument",
    )
    return found


def field_of(fields, sizes, name):
    """The array, or the element, that a field is."""
    field = field_named(fields, name)
    if is_unknown(field) or is_unknown(sizes):
        return unknown("a field that is not known")
    kind, inner = field
    if not is_unknown(kind) and isinstance(kind, tuple):
        return Records(sizes + inner, kind) if sizes + inner else Record(kind)
    if not has_rank(sizes + inner) or len(sizes + inner) > 0:
        return array(ndarray, sizes + inner, kind)
    return unknown("an element of a record") if is_unknown(kind) else wrap((), kind)


def store_field(fields, sizes, name, value):
    """Requires that a value fits where a field is."""
    field = field_named(fields, name)
    if is_unknown(field) or is_unknown(sizes) or is_unknown(value) or isinstance(value, (str, bytes)):
        return
    kind, inner = field
    if is_unknown(kind) or not isinstance(kind, tuple):
        array(ndarray, sizes + inner, kind)[...] = value


def records(shape, fields):
    """A new array of records."""
    return Records(check_sizes(as_sizes(shape)), fields)


def records_from(object, fields):
    """The array of records that `array` makes of a list of tuples."""
    if isinstance(object, Records):
        return Records(object._sizes, fields)
    if is_unknown(object) or not isinstance(object, list) or not has_rank(object):
        return Records(unknown("records from an unknown value"), fields)
    for one in object:
        if is_unknown(one) or not isinstance(one, tuple) or not has_rank(one):
            return Records(unknown("records from an unknown value"), fields)
        require(
            len(one) == len(fields),
            ValueError,
            f"a record has {len(fields)} fields, but the tuple has {len(one)} values",
            rule="shape-argument",
        )
    return Records((len(object),), fields)
