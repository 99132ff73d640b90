"""jit, grad, vmap: functions that give functions."""

from _pytrope import (
    call_back,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_uncalled,
    is_unknown,
    require,
    set_setting,
    setting,
    shape_of,
    unknown,
)

from ._array import Tracer, made, new_array
from .tree_util import is_container, tree_map


def jit(fun=None, *args, **options):
    """A compiled function is run once on arrays without elements: decisions on elements are refused."""
    if fun is None:
        return lambda function: jit(function, *args, **options)
    if is_unknown(fun):
        return unknown("a compiled function")
    is_static = len(args) > 0 or "static_argnums" in options or "static_argnames" in options

    def compiled(*args, **kwargs):
        before = setting("jax.tracing", False)
        if is_uncalled() or is_unknown(before) or setting("jax.eager", False) is not False:
            return concrete(call_back(fun, *args, **kwargs))
        set_setting("jax.tracing", True, False)
        try:
            given = [traced(x, is_static) for x in args]
            named = {name: traced(x, is_static) for name, x in kwargs.items()}
            result = call_back(fun, *given, **named)
        finally:
            set_setting("jax.tracing", before, False)
        return result if before else concrete(result)

    compiled.lower = unknown("lowered code")
    compiled.trace = unknown("a trace")
    compiled.clear_cache = unknown("a cache")
    compiled.eval_shape = unknown("shapes")
    compiled.__wrapped__ = fun
    return compiled


def traced(x, is_static):
    """An argument as a function sees it that is compiled. Numbers may be static where something is said to be."""
    if is_unknown(x) or x is None:
        return x
    if is_array(x):
        return made(shape_of(x), dtype_of(x))
    if isinstance(x, (bool, int, float, complex)):
        return x if is_static else new_array((), dtype_of_number(x))
    return rebuilt(x, lambda part: traced(part, is_static))


def dtype_of_number(x):
    if isinstance(x, bool):
        return "bool"
    if isinstance(x, int):
        return "int32"
    return "float32" if isinstance(x, float) else unknown("the dtype of a number")


def concrete(x):
    """What a compiled function gives."""
    if is_unknown(x):
        return x
    if is_array(x):
        return new_array(shape_of(x), dtype_of(x)) if is_array(x, Tracer) else x
    if isinstance(x, (bool, int, float, complex)):
        return new_array((), dtype_of_number(x))
    return rebuilt(x, concrete)


def rebuilt(x, change):
    """A plain container with its parts changed; everything else is what it was."""
    if type(x) is dict:
        return {key: change(part) for key, part in x.items()}
    if type(x) is list and has_rank(x):
        return [change(part) for part in x]
    if type(x) is tuple and has_rank(x):
        return tuple([change(part) for part in x])
    return x


class disable_jit:
    """Compiled functions run as they are."""

    def __init__(self, disable=True):
        self._before = False

    def __enter__(self):
        self._before = setting("jax.eager", False)
        set_setting("jax.eager", True, False)

    def __exit__(self, kind, value, traceback):
        set_setting("jax.eager", self._before, False)


class ensure_compile_time_eval:
    """Arrays made here have elements while a function is compiled."""

    def __init__(self):
        self._before = False

    def __enter__(self):
        self._before = setting("jax.tracing", False)
        set_setting("jax.tracing", False, False)

    def __exit__(self, kind, value, traceback):
        set_setting("jax.tracing", self._before, False)


class _Config:
    """What the program sets for all of JAX."""

    def update(self, name, value):
        if is_unknown(name) or name == "jax_enable_x64":
            set_setting("jax.wide", True, False)
        if is_unknown(name) or name == "jax_disable_jit":
            set_setting("jax.eager", True, False)

    def __getattr__(self, name):
        return unknown("a setting of JAX")


config = _Config()


def unchanged(fun=None, *args, **options):
    """checkpoint, named calls: the function is what it was."""
    return unchanged if fun is None else fun


def differentiated(fun, argnums, has_aux, with_value, options=()):
    def derivative(*args, **kwargs):
        places = argnums if isinstance(argnums, (tuple, list)) else [argnums]
        for place in places if has_rank(places) else []:
            if not is_constant(place) or not isinstance(place, int):
                continue
            require(
                place < len(args),
                TypeError,
                f"argnums {argnums} names argument {place}, but the function is called with {len(args)} positional "
                "arguments",
                rule="wrong-arguments",
            )
            if "allow_int" not in options and 0 <= place and place < len(args):
                tree_map(inexact, args[place])
        result = call_back(fun, *args, **kwargs)
        value = result
        if has_aux:
            value = result[0] if isinstance(result, tuple) else unknown("a value with further results")
        if not is_unknown(value) and type(value) in (tuple, list, dict):
            raise TypeError(
                f"grad needs a function with a scalar result, but this one returns a {type(value).__name__}"
            )
        if is_array(value) and has_rank(shape_of(value)):
            require(
                len(shape_of(value)) == 0,
                TypeError,
                f"grad needs a function with a scalar result, but this one returns shape {shape_of(value)}",
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


def inexact(x):
    """Gradients are taken by real numbers."""
    if is_array(x):
        kind = dtype_of(x)
        if not is_unknown(kind):
            require(
                not (kind == "bool" or kind.startswith("int") or kind.startswith("uint")),
                TypeError,
                f"grad differentiates with respect to floats, not {kind}",
                rule="bad-operand",
            )
    elif isinstance(x, int) and not is_unknown(x):
        raise TypeError("grad differentiates with respect to floats, not integers")
    return x


def gradient_of(args, place):
    if not is_constant(place) or place >= len(args) or place < 0:
        return unknown("a gradient for an unknown argument")
    return tree_map(shaped_like, args[place])


def shaped_like(x):
    if is_array(x):
        return new_array(shape_of(x), dtype_of(x))
    return new_array((), "float32") if isinstance(x, float) else unknown("a gradient")


def grad(fun, argnums=0, has_aux=False, *args, **options):
    return unknown("a derivative") if is_unknown(fun) else differentiated(fun, argnums, has_aux, False, options)


def jacobian_of(fun, times):
    """A function that gives derivatives: the axes of the result, and for each time those of the argument."""

    def derivative(*args, **kwargs):
        if len(args) == 0 or not is_array(args[0]) or not has_rank(shape_of(args[0])):
            return unknown("a derivative by something else than an array")
        inexact(args[0])
        result = call_back(fun, *args, **kwargs)
        if not is_array(result) or not has_rank(shape_of(result)):
            return unknown("a derivative of an unknown value")
        return new_array(shape_of(result) + shape_of(args[0]) * times, unknown("the dtype of a derivative"))

    return derivative


def jacobian(fun, *args, **options):
    return unknown("a derivative") if is_unknown(fun) or args or options else jacobian_of(fun, 1)


def hessian(fun, *args, **options):
    return unknown("a derivative") if is_unknown(fun) or args or options else jacobian_of(fun, 2)


def value_and_grad(fun, argnums=0, has_aux=False, *args, **options):
    return unknown("a derivative") if is_unknown(fun) else differentiated(fun, argnums, has_aux, True, options)


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
                    f"vmap maps along axes of different sizes: {sizes[0]} ≠ {size}",
                    rule="shape-argument",
                )
        result = call_back(fun, *inner)
        if len(sizes) == 0:
            return unknown("a function mapped along nothing")
        return tree_map(lambda x: stacked(x, sizes[0], out_axes), result)

    mapped.__wrapped__ = fun
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
                f"vmap axis {axis} is out of range for an argument of shape {shape}",
                rule="axis-out-of-range",
            )
        sizes.append(shape[place])
        return new_array(shape[:place] + shape[place + 1 :], dtype_of(argument))
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
        return new_array(shape[:at] + (size,) + shape[at:], dtype_of(x))
    if isinstance(x, (int, float)) and not is_unknown(x):
        return new_array((size,), unknown("the dtype of a result"))
    return unknown("a result that is not an array")
