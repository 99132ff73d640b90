"""keras.utils, as far as arrays go."""

from _pytrope import array, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, shape_of, unknown, values_of

from tensorflow._make import converted, ranked, tensor


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


def image_dataset_from_directory(
    directory,
    labels="inferred",
    label_mode="int",
    class_names=None,
    color_mode="rgb",
    batch_size=32,
    image_size=(256, 256),
    *args,
    subset=None,
    **options,
):
    """Batches of images and labels from folders."""
    from tensorflow.data import Dataset

    for option in (labels, label_mode, color_mode, image_size, subset):
        if not is_constant(option):
            return unknown("a data set with unknown arguments")
    channels = {"rgb": 3, "rgba": 4, "grayscale": 1}
    if labels is None or subset == "both" or batch_size is None or color_mode not in channels:
        return unknown("a data set in an unsupported form")
    if not isinstance(image_size, (tuple, list)) or len(image_size) != 2:
        return unknown("a data set in an unsupported form")
    batch = fresh("batch")
    images = tensor((batch,) + tuple(image_size) + (channels[color_mode],), "float32")
    shapes = {"int": (), "binary": (1,), "categorical": (fresh("classes"),)}
    if label_mode not in shapes:
        return unknown("a data set in an unsupported form")
    made = tensor((batch,) + shapes[label_mode], "int32" if label_mode == "int" else "float32")
    return Dataset((images, made))


def timeseries_dataset_from_array(data, targets, sequence_length, *args, batch_size=128, **options):
    """Batches of windows of a series, each with the target at its place."""
    from tensorflow.data import Dataset

    series = converted(data)
    if is_unknown(series) or not ranked(series) or len(shape_of(series)) == 0 or is_unknown(sequence_length):
        return Dataset()
    if batch_size is None or is_unknown(batch_size) or is_unknown(targets):
        return Dataset()
    batch = fresh("batch")
    windows = tensor((batch, sequence_length) + shape_of(series)[1:], dtype_of(series))
    if targets is None:
        return Dataset(windows)
    wanted = converted(targets)
    if is_unknown(wanted) or not ranked(wanted) or len(shape_of(wanted)) == 0:
        return Dataset()
    return Dataset((windows, tensor((batch,) + shape_of(wanted)[1:], dtype_of(wanted))))


def load_img(path, color_mode="rgb", target_size=None, *args, **options):
    return unknown("an image from a file")


def img_to_array(img, *args, **options):
    return unknown("an image as an array")


def save_img(path, x, *args, **options):
    return None


def set_random_seed(seed):
    return None


def __getattr__(name):
    return unknown(name)
