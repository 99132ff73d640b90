"""jit, grad, vmap: functions that give functions."""

from _pytrope import array, dtype_of, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._array import Array
from .tree_util import is_container, tree_map


def jit(fun=None, *args, **options):
    """Compiled or not, a function does what it says; decisions on elements are not judged."""
    if fun is None:
        return jit
    if is_unknown(fun):
        return unknown("a compiled function")

    def compiled(*args, **kwargs):
        return fun(*args, **kwargs)

    compiled.lower = unknown("lowered code")
    compiled.trace = unknown("a trace")
    compiled.clear_cache = unknown("a cache")
    compiled.eval_shape = unknown("shapes")
    return compiled


def unchanged(fun=None, *args, **options):
    """checkpoint, named calls: the function is what it was."""
    return unchanged if fun is None else fun


def differentiated(fun, argnums, has_aux, with_value):
    def derivative(*args, **kwargs):
        result = fun(*args, **kwargs)
        value = result
        if has_aux:
            value = result[0] if isinstance(result, tuple) else unknown("a value with further results")
        if is_array(value) and has_rank(shape_of(value)):
            require(
                len(shape_of(value)) == 0,
                TypeError,
                f"only functions with a scalar result have a gradient, but this one gives shape {shape_of(value)}",
                rule="shape-argument",
            )
        if is_unknown(argnums):
            gradients = unknown("gradients for unknown arguments")
        elif isinstance(argnums, (tuple, list)):
            gradients = tuple([gradient_of(args, place) for place in argnums])
        else:
            gradients = gradient_of(args, argnums)
        if with_value:
            return (result, gradients)
        return (gradients, result[1]) if has_aux and isinstance(result, tuple) else gradients

    return derivative


def gradient_of(args, place):
    if not is_constant(place) or place >= len(args) or place < 0:
        return unknown("a gradient for an unknown argument")
    return tree_map(shaped_like, args[place])


def shaped_like(x):
    if is_array(x):
        return array(Array, shape_of(x), dtype_of(x))
    return array(Array, (), "float32") if isinstance(x, float) else unknown("a gradient")


def grad(fun, argnums=0, has_aux=False, *args, **options):
    return unknown("a derivative") if is_unknown(fun) else differentiated(fun, argnums, has_aux, False)


def value_and_grad(fun, argnums=0, has_aux=False, *args, **options):
    return unknown("a derivative") if is_unknown(fun) else differentiated(fun, argnums, has_aux, True)


def vmap(fun, in_axes=0, out_axes=0, *args, **options):
    if is_unknown(fun):
        return unknown("a mapped function")

    def mapped(*args, **kwargs):
        if is_unknown(in_axes) or not is_constant(out_axes) or not isinstance(out_axes, int) or len(kwargs) > 0:
            return unknown("a function mapped along unknown axes")
        if isinstance(in_axes, (tuple, list)) and len(in_axes) != len(args):
            return unknown("a function mapped along other axes")
        sizes = []
        inner = []
        for place, argument in enumerate(args):
            axis = in_axes[place] if isinstance(in_axes, (tuple, list)) else in_axes
            inner.append(sliced(argument, axis, sizes))
        for size in sizes[1:]:
            if is_constant(size) and is_constant(sizes[0]):
                require(
                    size == sizes[0],
                    ValueError,
                    f"vmap maps along axes of size {sizes[0]} and {size}",
                    rule="shape-argument",
                )
        result = fun(*inner)
        if len(sizes) == 0:
            return unknown("a function mapped along nothing")
        return tree_map(lambda x: stacked(x, sizes[0], out_axes), result)

    return mapped


def sliced(argument, axis, sizes):
    """An argument without the mapped axis; its size is added to `sizes`."""
    if axis is None:
        return argument
    if is_unknown(argument):
        return unknown("an unknown argument")
    if is_array(argument):
        shape = shape_of(argument)
        if not has_rank(shape) or not is_constant(axis) or not isinstance(axis, int):
            return unknown("an argument mapped along an unknown axis")
        place = axis + len(shape) if axis < 0 else axis
        if place < 0 or place >= len(shape):
            require(
                False,
                ValueError,
                f"vmap along axis {axis} of an argument of shape {shape}",
                rule="axis-out-of-range",
            )
        sizes.append(shape[place])
        return array(Array, shape[:place] + shape[place + 1 :], dtype_of(argument))
    if is_container(argument) and isinstance(axis, int):
        return tree_map(lambda x: sliced(x, axis, sizes), argument)
    return unknown("an argument that is not an array")


def stacked(x, size, place):
    """A result with the mapped axis."""
    if is_array(x):
        shape = shape_of(x)
        if not has_rank(shape):
            return unknown("a result of unknown rank")
        at = place + len(shape) + 1 if place < 0 else place
        if at < 0 or at > len(shape):
            return unknown("a result along another axis")
        return array(Array, shape[:at] + (size,) + shape[at:], dtype_of(x))
    if isinstance(x, (int, float)) and not is_unknown(x):
        return array(Array, (size,), unknown("the dtype of a result"))
    return unknown("a result that is not an array")
