"""keras.preprocessing.image: batches of images from arrays and folders."""

from _pytrope import fresh, is_array, is_constant, is_unknown, require, shape_of, unknown

from keras.utils import img_to_array, load_img, save_img
from tensorflow._make import converted, ranked, shown, tensor


class Batches:
    """An iterator over batches, as `fit` takes it."""

    def __init__(self, elements):
        self._pytrope_elements = elements

    def __getattr__(self, name):
        return unknown("a part of an iterator over images that is not modelled")

    def _pytrope_batch(self):
        """A batch as NumPy arrays."""
        from _pytrope import array, dtype_of
        from numpy import ndarray

        parts = self._pytrope_elements
        if isinstance(parts, tuple):
            return tuple([array(ndarray, shape_of(part), dtype_of(part)) for part in parts])
        return array(ndarray, shape_of(parts), dtype_of(parts)) if is_array(parts) else unknown("a batch")

    def __getitem__(self, index):
        return self._pytrope_batch()

    def __next__(self):
        return self._pytrope_batch()

    def next(self):
        return self._pytrope_batch()

    def __iter__(self):
        return unknown("an endless iterator over batches")

    def __len__(self):
        return fresh("batches")


def target_shapes(class_mode, classes):
    """The shape of a batch of labels for a `class_mode`, without the batch; None where it is not known."""
    if class_mode in ("binary", "sparse"):
        return ()
    if class_mode == "categorical":
        if isinstance(classes, (list, tuple)):
            return (len(classes),)
        return (fresh("classes"),)
    return None


class ImageDataGenerator:
    def __init__(self, *args, **options):
        pass

    def __getattr__(self, name):
        return unknown("a part of an image generator that is not modelled")

    def fit(self, x, *args, **options):
        return None

    def flow(self, x, y=None, batch_size=32, shuffle=True, sample_weight=None, *args, **options):
        images = unknown("images that are not arrays") if isinstance(x, tuple) else converted(x)
        if is_unknown(images) or not ranked(images):
            return unknown("batches of unknown images")
        shape = shape_of(images)
        require(
            len(shape) == 4,
            ValueError,
            f"images have rank 4 (samples, rows, columns, channels), but these have shape {shown(shape)}",
            rule="shape-argument",
        )
        batch = fresh("batch")
        part = tensor((batch,) + shape[1:], "float32")
        if y is None:
            return Batches(part)
        labels = converted(y)
        if is_unknown(labels) or not ranked(labels) or len(shape_of(labels)) == 0 or sample_weight is not None:
            return unknown("batches with unknown labels")
        a, b = shape[0], shape_of(labels)[0]
        if is_constant(a) and is_constant(b):
            require(a == b, ValueError, f"images and labels differ in number: {a} ≠ {b}", rule="shape-argument")
        return Batches((part, tensor((batch,) + shape_of(labels)[1:], unknown("the dtype of labels"))))

    def flow_from_directory(
        self,
        directory,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        *args,
        **options,
    ):
        return folder_batches(target_size, color_mode, classes, class_mode)

    def flow_from_dataframe(
        self,
        dataframe,
        directory=None,
        x_col="filename",
        y_col="class",
        weight_col=None,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        *args,
        **options,
    ):
        if weight_col is not None:
            return unknown("batches with weights")
        return folder_batches(target_size, color_mode, classes, class_mode)


CHANNELS = {"rgb": 3, "rgba": 4, "grayscale": 1}


def folder_batches(target_size, color_mode, classes, class_mode):
    """Batches of images of a folder for each class."""
    if not is_constant(target_size) or not isinstance(target_size, (tuple, list)) or len(target_size) != 2:
        return unknown("images of unknown size")
    if not is_constant(color_mode) or color_mode not in CHANNELS or not is_constant(class_mode):
        return unknown("images of unknown channels")
    batch = fresh("batch")
    images = tensor((batch,) + tuple(target_size) + (CHANNELS[color_mode],), "float32")
    labels = target_shapes(class_mode, classes)
    if labels is None:
        return Batches(unknown("batches of images without labels"))
    return Batches((images, tensor((batch,) + labels, "float32")))


def __getattr__(name):
    return unknown(name)
