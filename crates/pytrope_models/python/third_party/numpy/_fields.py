"""What may be written for a structured element type: the names, the types and the sizes of its fields."""

from _pytrope import has_rank, is_constant, is_unknown, product, require, unknown

from _shapes import as_sizes

from ._dtypes import SIZES
from ._types import dtype, written_dtype


def fields_given(given):
    """`((name, element type, sizes), …)` of what is given as an element type; None for what is not clearly one."""
    if isinstance(given, dtype):
        return given._fields
    if isinstance(given, dict):
        return fields_in_columns(given)
    if isinstance(given, str):
        return fields_in_text(given) if is_constant(given) and "," in given else None
    if not isinstance(given, list) or not has_rank(given) or len(given) == 0:
        return None
    fields = []
    for entry in given:
        if not isinstance(entry, tuple) or not has_rank(entry) or len(entry) not in (2, 3):
            return None
        if not is_constant(entry[0]) or not isinstance(entry[0], str) or entry[0] == "":
            return None
        inner = as_sizes(entry[2]) if len(entry) == 3 else ()
        if is_unknown(inner) or not has_rank(inner):
            return None
        nested = fields_given(entry[1])
        if nested is None and (isinstance(entry[1], (list, dict, tuple)) or has_sizes(entry[1])):
            return None
        require(
            entry[0] not in [name for name, _, _ in fields],
            ValueError,
            f"field {entry[0]!r} occurs more than once",
            rule="shape-argument",
        )
        fields.append((entry[0], written_dtype(entry[1]) if nested is None else nested, inner))
    return tuple(fields)


def has_sizes(given):
    """Whether the text of an element type says sizes, such as `"3f8"`."""
    return isinstance(given, str) and (not is_constant(given) or given == "" or given[0] in "0123456789(")


def fields_in_columns(given):
    """The fields of `{"names": …, "formats": …}`."""
    names, formats = given.get("names"), given.get("formats")
    for column in (names, formats):
        if is_unknown(column) or not isinstance(column, (list, tuple)) or not has_rank(column):
            return None
    if len(given) != 2 or len(names) != len(formats):
        return None
    return fields_given(list(zip(names, formats)))


def fields_in_text(given):
    """The fields of `"i4, f8"`, which are called `f0`, `f1`, …"""
    parts = [part.strip() for part in given.split(",")]
    return fields_given([(f"f{place}", part) for place, part in enumerate(parts)])


def bytes_of(fields):
    """How many bytes a record has without gaps; Unknown where the size of a field is not known."""
    total = 0
    for _, kind, sizes in fields:
        one = bytes_of(kind) if isinstance(kind, tuple) else SIZES.get(kind, unknown("the size of an element"))
        if is_unknown(kind) or is_unknown(one):
            return unknown("the size of an element")
        total = total + one * product(sizes)
    return total
