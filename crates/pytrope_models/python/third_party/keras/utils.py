"""keras.utils, as far as arrays go."""

from _pytrope import array, fresh, has_rank, is_array, is_constant, is_unknown, shape_of, unknown, values_of


def to_categorical(x, num_classes=None, dtype="float32"):
    """One-hot codes; an axis of size 1 at the end is dropped first."""
    from numpy import asarray, ndarray

    given = asarray(x)
    if is_unknown(given) or not is_array(given) or not has_rank(shape_of(given)) or is_unknown(num_classes):
        return unknown("one-hot codes of an unknown value")
    shape = shape_of(given)
    if len(shape) > 1 and not is_constant(shape[-1]):
        return unknown("one-hot codes of an unknown value")
    if len(shape) > 1 and shape[-1] == 1:
        shape = shape[:-1]
    if num_classes is None or num_classes == 0:
        values = values_of(given)
        classes = (
            max(values) + 1 if values is not None and len(values) > 0 and is_constant(values) else fresh("classes")
        )
    else:
        classes = num_classes
    # Keras 2 makes NumPy arrays; tensors are kept as they are by Keras 3.
    return array(ndarray, shape + (classes,), unknown("the dtype of the codes"))


def set_random_seed(seed):
    return None


def __getattr__(name):
    return unknown(name)
