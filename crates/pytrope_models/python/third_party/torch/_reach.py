"""How large the elements of an index can be, where an entry is the whole program and its answer has to be proved.

`arange(n)` holds every number below `n`, though its elements are not followed: what looks them up in a table needs
`n` rows. In a closed world `tensor._origin`, which says nothing there, holds this bound: no element is as large, and
none is negative. It goes with the elements through operations that only arrange them.
"""

from _pytrope import closed_world, is_unknown, require

# Operations whose results hold elements of their first operand and nothing else.
ARRANGING = """reshape reshape_to view flatten unflatten squeeze unsqueeze transpose permute movedim swapaxes swapdims
    transposed matrix_transposed reversed_dims expand expand_as broadcast_to repeat tile repeat_interleave flip roll
    clone detach diagonal gather index_select select narrow ravel""".split()

WRITING = ("changed", "changed_real", "changed_number", "filled_at_random")


def bounded(made, bound):
    """Says that the elements of a new tensor are below the bound."""
    if closed_world() and not is_unknown(made) and not is_unknown(bound):
        made._origin = bound
    return made


def bound_of(x):
    """What all elements are below; None where nothing is known of that."""
    if not closed_world() or is_unknown(x):
        return None
    bound = getattr(x, "_origin", None)
    return None if is_unknown(bound) or not isinstance(bound, int) else bound


def pass_bound(result, name, operands):
    """The result of an operation on tensors of which one has a bound."""
    if name in WRITING:
        unbounded(operands[0])
        return result
    if name not in ARRANGING or isinstance(result, tuple):
        return result
    bound = bound_of(operands[0])
    return result if bound is None else bounded(result, bound)


def carried(made, x):
    """A tensor with the elements of `x`."""
    bound = bound_of(x)
    return made if bound is None else bounded(made, bound)


def unbounded(x):
    """Something was written to a tensor."""
    if bound_of(x) is not None:
        x._origin = None


def require_rows(index, count):
    """What is looked up with an index is there."""
    bound = bound_of(index)
    if bound is not None:
        require(
            bound <= count,
            IndexError,
            f"index {bound - 1} is out of range for {count} rows",
            rule="index-out-of-bounds",
        )
