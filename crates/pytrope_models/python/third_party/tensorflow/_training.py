"""tf.function, tapes, and specifications of tensors."""

from _pytrope import array, call_back, dtype_of, is_array, is_unknown, shape_of, unknown

from ._dtypes import written
from ._make import MODE, is_tensor, opened, tensor


def function(func=None, *args, **options):
    """Functions are traced: misfits in them are ValueErrors. What is called is the function itself."""
    if func is None:
        return function
    if is_unknown(func):
        return unknown("a traced function")

    def traced(*args, **kwargs):
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
