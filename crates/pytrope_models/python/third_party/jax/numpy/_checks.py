"""What functions of jax.numpy raise, where that is not what NumPy raises."""

from _pytrope import broadcast, has_rank, is_array, is_constant, is_unknown, product, proved, require, shape_of

from _shapes import join_shapes, stack_shape

from jax._array import first_array
from jax.errors import ConcretizationTypeError


def unjudged(given, named):
    """Calls that NumPy's model may refuse in a way that is not JAX's: only plain ones of one array go through."""
    return False


def whole(axis, rank):
    return isinstance(axis, int) and is_constant(axis) and -rank <= axis and axis < rank


def axes_in_range(given, named):
    if not first_array(given, named) or len(given) != 3:
        return False
    rank = len(shape_of(given[0]))
    return whole(given[1], rank) and whole(given[2], rank)


def permutable(given, named):
    """Axes out of range are a ValueError, repeated ones a TypeError; another number of them is not judged."""
    if not first_array(given, named):
        return False
    order = given[1] if len(given) > 1 else named.get("axes")
    if order is None:
        return True
    rank = len(shape_of(given[0]))
    if is_unknown(order) or not isinstance(order, (tuple, list)) or not has_rank(order) or len(order) != rank:
        return False
    places = []
    for axis in order:
        if not isinstance(axis, int) or not is_constant(axis):
            return False
        require(
            -rank <= axis and axis < rank,
            ValueError,
            f"axis {axis} is out of bounds for an array of rank {rank}",
            rule="axis-out-of-range",
        )
        places.append(axis + rank if axis < 0 else axis)
    for at, place in enumerate(places):
        require(place not in places[:at], TypeError, f"axis {place} is given twice", rule="axis-out-of-range")
    return True


def squeezable(given, named):
    if not first_array(given, named):
        return False
    axis = given[1] if len(given) > 1 else named.get("axis")
    if axis is None:
        return True
    rank = len(shape_of(given[0]))
    if is_unknown(axis) or not isinstance(axis, int) or not is_constant(axis):
        return False
    require(
        -rank <= axis and axis < rank,
        ValueError,
        f"axis {axis} is out of bounds for an array of rank {rank}",
        rule="axis-out-of-range",
    )
    return True


def rollable(given, named):
    """An axis out of range is a ValueError."""
    if not first_array(given, named):
        return False
    axis = given[2] if len(given) > 2 else named.get("axis")
    return axis is None or in_bounds(axis, len(shape_of(given[0])))


def in_bounds(axis, rank):
    """Requires one axis in range; False for what is not judged."""
    if is_unknown(axis) or not isinstance(axis, int) or not is_constant(axis):
        return False
    require(
        -rank <= axis and axis < rank,
        ValueError,
        f"axis {axis} is out of bounds for an array of rank {rank}",
        rule="axis-out-of-range",
    )
    return True


def transformed(given, named):
    """The axis of a Fourier transform."""
    if not first_array(given, named):
        return False
    return in_bounds(given[2] if len(given) > 2 else named.get("axis", -1), len(shape_of(given[0])))


def powered(given, named):
    """A matrix that is no square is a TypeError."""
    if not first_array(given, named):
        return False
    shape = shape_of(given[0])
    message = f"a power of a matrix of shape {shape}"
    require(len(shape) >= 2, TypeError, message, rule="linalg-not-square")
    require(shape[-1] == shape[-2], TypeError, message, rule="linalg-not-square")
    return True


def surely_square(given, named):
    """Decompositions of symmetric matrices add the transposed one first: what they refuse depends on the sizes."""
    if not first_array(given, named):
        return False
    shape = shape_of(given[0])
    return len(shape) >= 2 and proved(shape[-1] == shape[-2])


def taken_along(given, named):
    """Indices of the array's own rank, which broadcast with it outside of the axis."""
    if not first_array(given, named):
        return False
    chosen = given[1] if len(given) > 1 else named.get("indices")
    axis = given[2] if len(given) > 2 else named.get("axis", -1)
    if is_unknown(chosen) or not is_array(chosen) or not has_rank(shape_of(chosen)) or axis is None:
        return False
    own, shape = shape_of(chosen), shape_of(given[0])
    if not in_bounds(axis, len(shape)):
        return False
    require(
        len(own) == len(shape),
        ValueError,
        f"indices of shape {own} for an array of shape {shape}: the ranks differ",
        rule="shape-argument",
    )
    place = axis + len(shape) if axis < 0 else axis
    broadcast(own[:place] + own[place + 1 :], shape[:place] + shape[place + 1 :], error=ValueError)
    return True


def expandable(given, named):
    if not first_array(given, named):
        return False
    axis = given[1] if len(given) > 1 else named.get("axis")
    rank = len(shape_of(given[0])) + 1
    if is_unknown(axis) or not isinstance(axis, int) or not is_constant(axis):
        return False
    require(
        -rank <= axis and axis < rank,
        ValueError,
        f"axis {axis} is out of bounds for an array of rank {rank}",
        rule="axis-out-of-range",
    )
    return True


def shapes_in(arrays):
    """The shapes of a list of arrays; None where one is not known."""
    if is_unknown(arrays) or is_array(arrays) or not isinstance(arrays, (list, tuple)) or not has_rank(arrays):
        return None
    shapes = []
    for one in arrays:
        if is_unknown(one) or not is_array(one) or not has_rank(shape_of(one)):
            return None
        shapes.append(shape_of(one))
    return shapes if len(shapes) > 0 else None


def stackable(given, named):
    shapes = shapes_in(given[0]) if len(given) > 0 else None
    if shapes is None:
        return False
    axis = given[1] if len(given) > 1 else named.get("axis", 0)
    if not isinstance(axis, int) or not is_constant(axis):
        return False
    stack_shape(shapes, axis, ValueError, ValueError)
    return True


def joined(given, vectors, axis):
    """Arrays of one rank that are joined along an axis; `vectors` says what vectors are made into first."""
    shapes = shapes_in(given[0]) if len(given) > 0 else None
    if shapes is None:
        return False
    made = []
    for shape in shapes:
        if len(shape) == 0:
            return False
        made.append(vectors(shape[0]) if len(shape) == 1 else shape)
    for shape in made:
        ranks = f"{len(made[0])} and {len(shape)} axes"
        require(len(shape) == len(made[0]), TypeError, f"arrays of {ranks} cannot be joined", rule="concat-mismatch")
    join_shapes(made, 0 if len(made[0]) == 1 else axis, TypeError, ValueError)
    return True


def in_rows(given, named):
    return joined(given, lambda size: (1, size), 0)


def in_columns(given, named):
    return joined(given, lambda size: (size, 1), 1)


def in_depth(given, named):
    """Vectors and matrices get a last axis, along which they are joined; others are not judged."""
    shapes = shapes_in(given[0]) if len(given) > 0 else None
    if shapes is None or len([1 for shape in shapes if len(shape) == 0]) > 0:
        return False
    made = [(1, shape[0], 1) if len(shape) == 1 else shape + (1,) if len(shape) == 2 else shape for shape in shapes]
    for shape in made:
        ranks = f"{len(made[0])} and {len(shape)} axes"
        require(len(shape) == len(made[0]), TypeError, f"arrays of {ranks} cannot be joined", rule="concat-mismatch")
    join_shapes(made, 2, TypeError, ValueError)
    return True


def elements_taken(given, named):
    """take: an array and indices, of which a list is refused."""
    indices = given[1] if len(given) > 1 else named.get("indices")
    axis = given[2] if len(given) > 2 else named.get("axis")
    if not first_array(given, named) or is_unknown(indices) or is_unknown(axis):
        return False
    if isinstance(indices, (list, tuple)):
        raise TypeError(f"indices are an array, not a {type(indices).__name__}; jnp.asarray() makes one")
    return False


def flat_products(given, named):
    """vdot: as many elements on both sides."""
    if len(given) != 2 or not first_array(given, named) or not first_array(given[1:], named):
        return False
    one, two = product(shape_of(given[0])), product(shape_of(given[1]))
    require(one == two, TypeError, f"vdot of {one} and {two} elements", rule="matmul-mismatch")
    return True


def side_by_side(given, named):
    return joined(given, lambda size: (size,), 1)


def summed(given, named):
    """tensordot over the last axes of one and the first of the other."""
    if len(given) < 2 or not is_array(given[0]) or not is_array(given[1]):
        return False
    one, two = shape_of(given[0]), shape_of(given[1])
    axes = given[2] if len(given) > 2 else named.get("axes", 2)
    if not has_rank(one) or not has_rank(two) or not isinstance(axes, int) or not is_constant(axes):
        return False
    if axes < 0 or axes > len(one) or axes > len(two):
        return False
    for k in range(axes):
        require(
            one[len(one) - axes + k] == two[k],
            TypeError,
            f"tensordot over {axes} axes does not fit shapes {one} and {two}",
            rule="matmul-mismatch",
        )
    return True


def chosen(given, named):
    """where: three operands that broadcast."""
    if len(given) != 3:
        return False
    parts = []
    for x in given:
        if is_unknown(x):
            return False
        if is_array(x):
            if not has_rank(shape_of(x)):
                return False
            parts.append(x)
        elif not isinstance(x, (bool, int, float)):
            return False
    if len(parts) > 1:
        broadcast(*parts, error=ValueError)
    return True


def square(given, named):
    """Matrices that are not square raise a ValueError."""
    if not first_array(given, named):
        return False
    shape = shape_of(given[0])
    if len(shape) < 2:
        return False
    require(shape[-1] == shape[-2], ValueError, f"a matrix of shape {shape} is not square", rule="shape-argument")
    return True


def solvable(given, named):
    if len(given) != 2 or not square(given, named) or not is_array(given[1]) or not has_rank(shape_of(given[1])):
        return False
    one, two = shape_of(given[0]), shape_of(given[1])
    if len(one) != 2 or len(two) == 0 or len(two) > 2:
        return False
    require(
        one[0] == two[0],
        ValueError,
        f"a system of shape {one} does not fit a right side of shape {two}",
        rule="shape-argument",
    )
    return True


def normed(given, named):
    """A norm of all elements or along one axis."""
    if not first_array(given, named) or len(given) > 1 or "ord" in named:
        return False
    axis = named.get("axis")
    if axis is None:
        return True
    rank = len(shape_of(given[0]))
    if not isinstance(axis, int) or not is_constant(axis):
        return False
    require(
        -rank <= axis and axis < rank,
        ValueError,
        f"axis {axis} is out of bounds for an array of rank {rank}",
        rule="axis-out-of-range",
    )
    return True


def concrete_size(size):
    """A size is a number that is known while the function is compiled."""
    if not is_unknown(size) and is_array(size) and getattr(size, "_traced", False) is True:
        raise TypeError("a size must be known while the function is compiled, and this one is a traced array")


def natural(given, named):
    """A new array of a negative size is a TypeError; other shapes than integers are not judged."""
    shape = given[0] if len(given) > 0 else named.get("shape")
    concrete_size(shape)
    if is_unknown(shape) or is_array(shape):
        return False
    for size in shape if isinstance(shape, (tuple, list)) else [shape]:
        concrete_size(size)
        if is_unknown(size) or isinstance(size, (float, str)) or size is None or is_array(size):
            return False
        require(size >= 0, TypeError, f"a size must not be negative: {shape}")
    return True


def bounded(given, named):
    """The bounds of a range decide about its length, so that a traced one is refused."""
    for bound in [*given, named.get("start"), named.get("stop"), named.get("step")]:
        if not is_unknown(bound) and is_array(bound) and getattr(bound, "_traced", False) is True:
            raise ConcretizationTypeError("a bound of a range is traced, so that its length is not known")
    return True


def pieces(given, named):
    return first_array(given, named) and len(given) > 1 and isinstance(given[1], int) and given[1] > 0


def matrix(given, named):
    return first_array(given, named) and len(shape_of(given[0])) >= 2
