"""tf.function, tapes, and specifications of tensors."""

from _pytrope import (
    array,
    call_back,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    parameters_of,
    require,
    shape_of,
    unknown,
)

from ._dtypes import written
from ._make import MODE, is_tensor, opened, tensor


def function(func=None, input_signature=None, *args, **options):
    """Functions are traced: misfits in them are ValueErrors. What is called is the function itself."""
    if func is None:
        return lambda func: function(func, input_signature)
    if is_unknown(func):
        return unknown("a traced function")
    listed = parameters_of(func) if input_signature is not None and not is_unknown(input_signature) else None
    first = check_signature(listed, input_signature)
    # Kept as tuples: lists of a module count as changed by anyone once its functions are called.
    specified = () if first is None else tuple([said_of(spec) for spec in input_signature])

    def traced(*args, **kwargs):
        if first is not None:
            args = within_signature(args, first, specified)
        before = MODE.tracing
        MODE.tracing = True
        try:
            return call_back(func, *args, **kwargs)
        finally:
            MODE.tracing = before

    traced.get_concrete_function = unknown("a concrete function")
    traced.python_function = func
    traced.experimental_get_compiler_ir = unknown("compiled code")
    traced.experimental_get_tracing_count = unknown("a number of traces")
    return traced


def check_signature(listed, signature):
    """Where the specified arguments begin, behind `self`; None where nothing is specified."""
    if listed is None or is_unknown(listed):
        return None
    if isinstance(signature, TensorSpec):
        raise TypeError("input_signature must be a tuple or a list, not one specification")
    if not isinstance(signature, (tuple, list)) or not is_constant(len(signature)):
        return None
    first = 1 if len(listed) > 0 and listed[0][0] == "self" else 0
    named = [parameter for parameter in listed[first:] if parameter[1] in (0, 1)]
    if len(named) < len(listed) - first:
        return first
    required = [parameter for parameter in named if not parameter[2]]
    if len(required) > len(signature):
        raise TypeError(f"input_signature does not specify the argument {required[len(signature)][0]!r}")
    if len(signature) > len(named):
        raise TypeError(f"input_signature specifies {len(signature)} arguments of a function of {len(named)}")
    return first


def said_of(spec):
    """The sizes and the element type of a specification; Unknown sizes where it is none of one tensor."""
    if is_unknown(spec) or not isinstance(spec, TensorSpec):
        return (unknown("no specification of one tensor"), None)
    return (spec._pytrope_sizes, written(spec.dtype, "float32"))


def within_signature(args, first, specified):
    """The arguments as they are seen while tracing: of each it is known what its specification says."""
    seen = list(args[:first])
    for place in range(first, len(args)):
        argument = args[place]
        if place - first < len(specified):
            sizes, kind = specified[place - first]
            argument = seen_as(argument, sizes, kind)
        seen.append(argument)
    return tuple(seen)


def seen_as(argument, sizes, kind):
    if is_unknown(argument) or not is_array(argument) or is_unknown(sizes):
        return argument
    if not has_rank(shape_of(argument)):
        return tensor(sizes, kind)
    own = shape_of(argument)
    message = f"an argument of shape {own} does not fit the input_signature of shape {tuple(sizes)}"
    require(len(own) == len(sizes), TypeError, message, rule="shape-argument")
    for size, wanted in zip(own, sizes):
        if is_constant(wanted):
            require(size == wanted, TypeError, message, rule="shape-argument")
    if is_tensor(argument) and not is_unknown(kind) and not is_unknown(dtype_of(argument)):
        require(
            dtype_of(argument) == kind,
            TypeError,
            f"an argument of {dtype_of(argument)} does not fit the input_signature of {kind}",
            rule="bad-operand",
        )
    return argument if is_constant(tuple(sizes)) else tensor(sizes, kind)


def py_function(func=None, inp=None, Tout=None, name=None):
    return unknown("the result of a Python function")


def stop_gradient(input, name=None):
    return input


class TensorSpec:
    def __init__(self, shape=None, dtype=None, name=None):
        self.shape = unknown("the shape of a specification")
        self.dtype = dtype
        self.name = name
        sizes = (shape,) if isinstance(shape, int) else shape
        self._pytrope_sizes = unknown("an unknown shape") if sizes is None else opened(sizes)

    def _pytrope_tensor(self):
        """A tensor of which this is known."""
        if is_unknown(self._pytrope_sizes):
            return unknown("a tensor of unknown shape")
        return tensor(self._pytrope_sizes, written(self.dtype, "float32"))


class GradientTape:
    """A tape; gradients have the shapes of their sources."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        pass

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return None

    def watch(self, tensor):
        return None

    def stop_recording(self):
        return unknown("a context manager")

    def reset(self):
        return None

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=None):
        return gradients_of(sources)

    def jacobian(self, target, sources, **options):
        return unknown("a Jacobian")

    def batch_jacobian(self, target, source, **options):
        return unknown("a Jacobian")

    def watched_variables(self):
        return unknown("the variables of a tape")


def gradients_of(sources):
    """One gradient for each source; it may also be None, which is not followed."""
    if is_array(sources) and is_tensor(sources):
        return tensor(shape_of(sources), dtype_of(sources))
    if isinstance(sources, (list, tuple)) and not is_unknown(sources):
        return [gradients_of(source) for source in sources]
    return unknown("gradients of unknown sources")
