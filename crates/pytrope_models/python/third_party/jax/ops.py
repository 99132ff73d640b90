"""jax.ops: reductions over segments."""

from _pytrope import dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._array import new_array


def segmented(data, segment_ids, num_segments=None, *args, **options):
    """One row for each segment; as many as the ids say where no number is given."""
    if not is_array(data) or not is_array(segment_ids) or is_unknown(num_segments):
        return unknown("a reduction over segments of an unknown value")
    shape, ids = shape_of(data), shape_of(segment_ids)
    if not has_rank(shape) or not has_rank(ids) or len(ids) > len(shape):
        return unknown("a reduction over segments of an unknown value")
    for have, need in zip(shape, ids):
        if is_constant(have) and is_constant(need) and need != 1:
            require(have == need, ValueError, f"segments {ids} of data of shape {shape}", rule="shape-argument")
    count = fresh("segments") if num_segments is None else num_segments
    return new_array((count,) + shape[len(ids) :], dtype_of(data))


segment_sum = segment_max = segment_min = segment_prod = segmented


def __getattr__(name):
    return unknown(name)
