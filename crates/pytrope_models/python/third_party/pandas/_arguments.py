"""Labels, lengths and element types that are given to pandas."""

from _pytrope import array_like, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, shape_of, unknown

from numpy import ndarray


def is_label(key):
    """Whether a key is one known label of a column. Tuples may be paths into several levels."""
    return is_constant(key) and isinstance(key, (str, int)) and not isinstance(key, bool)


def labels_of(keys):
    """Different known labels as a list; Unknown if one is not known or stands twice."""
    if is_unknown(keys) or not isinstance(keys, (list, tuple)) or not has_rank(keys):
        return unknown("unknown labels")
    found = []
    for key in keys:
        if not is_label(key) or key in found:
            return unknown("unknown labels")
        found.append(key)
    return found


def vector_parts(value):
    """`(size, dtype)` of a list or array of one axis, which pandas takes by position; Unknown for everything else."""
    if is_array(value, ndarray):
        if has_rank(shape_of(value)) and len(shape_of(value)) == 1:
            return shape_of(value)[0], dtype_of(value)
        return unknown("a size"), unknown("a dtype")
    if isinstance(value, list) and has_rank(value):
        kind = unknown("a dtype")
        if len(value) > 0 and len([1 for item in value if not is_number(item)]) == 0:
            kind = "float64"
        return len(value), kind
    return unknown("a size"), unknown("a dtype")


def is_number(item):
    return not is_unknown(item) and isinstance(item, (int, float)) and not isinstance(item, bool)
