"""The shapes and array texts that every family draws from."""

SCALAR = ()
VECTORS = [(0,), (1,), (3,), (4,)]
MATRICES = [(2, 3), (3, 2), (1, 3), (3, 1), (3, 3), (0, 3), (2, 0)]
CUBES = [(2, 3, 4), (1, 3, 1), (2, 1, 4), (0, 2, 3)]
DEEP = [(2, 3, 1, 4), (1, 2, 3, 2)]
ALL = [SCALAR, *VECTORS, *MATRICES, *CUBES, *DEEP]
FEW = [SCALAR, (3,), (0,), (2, 3), (3, 1), (2, 3, 4)]
PAIRS = [
    (a, b)
    for a in [(), (1,), (3,), (4,), (0,), (2, 3), (3, 1), (1, 3), (3, 2), (2, 3, 4), (2, 1, 1), (0, 3)]
    for b in [(), (1,), (3,), (2, 3), (3, 1), (3, 2), (4, 1), (2, 3, 4), (2, 0)]
]


def size(shape):
    """How many elements an array of this shape has."""
    total = 1
    for side in shape:
        total *= side
    return total


def tuple_text(shape):
    """A shape as compact Python source."""
    if len(shape) == 1:
        return f"({shape[0]},)"
    return "(" + ",".join(str(side) for side in shape) + ")"


def ones(shape, dtype=None):
    """Source of an array of ones."""
    if dtype is None:
        return f"np.ones({tuple_text(shape)})"
    return f"np.ones({tuple_text(shape)}, dtype={dtype!r})"


def axes(shape):
    """Axis arguments worth trying on a shape: legal, negative, and one past either end."""
    rank = len(shape)
    return [*range(-rank - 1, rank + 1)]


def axis_tuples(shape):
    """Tuples of axes: pairs, an empty one, a repeated one, one that is too large."""
    rank = len(shape)
    found = ["()"]
    if rank >= 2:
        found += ["(0, 1)", "(0, -1)", "(-1, -2)", "(1, 1)", f"(0, {rank})"]
    if rank >= 3:
        found += ["(0, 2)", "(0, 1, 2)", "(2, -1)"]
    return found
