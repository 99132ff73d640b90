"""tf.image: images with their channels last, alone or in batches."""

from _pytrope import dtype_of, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._dtypes import written
from ._make import converted, is_tensor, like, misfit, ranked, shown
from .errors import InvalidArgumentError


def images_of(x):
    """An image or a batch of images; Unknown for everything else."""
    made = converted(x)
    if is_unknown(made) or not ranked(made):
        return unknown("unknown images")
    require(
        len(shape_of(made)) in (3, 4),
        ValueError,
        f"an image has rank 3 and a batch of images rank 4, but this tensor has shape {shown(shape_of(made))}",
        rule="shape-argument",
    )
    return made


def resized(images, size, dtype):
    made = images_of(images)
    if is_unknown(made) or not is_constant(size) or not isinstance(size, (tuple, list)) or len(size) != 2:
        return unknown("images of unknown size")
    shape = shape_of(made)
    return like([made], shape[:-3] + tuple(size) + (shape[-1],), dtype_of(made) if dtype is None else dtype)


def resize(images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None):
    if not is_constant(preserve_aspect_ratio) or preserve_aspect_ratio:
        return unknown("images of a size that depends on them")
    return resized(images, size, "float32" if is_constant(method) and method == "bilinear" else unknown("a dtype"))


def resize_with_pad(image, target_height, target_width, *args, **options):
    return resized(image, (target_height, target_width), unknown("the dtype of images"))


def resize_with_crop_or_pad(image, target_height, target_width):
    return resized(image, (target_height, target_width), None)


def kept(image, *args, **options):
    """What changes the values of images and not their shape."""
    made = converted(image)
    return made if is_unknown(made) or not ranked(made) else like([made], shape_of(made), dtype_of(made))


def flipped(image, *args, **options):
    made = images_of(image)
    return made if is_unknown(made) else like([made], shape_of(made), dtype_of(made))


random_flip_left_right = random_flip_up_down = flip_left_right = flip_up_down = flipped
adjust_brightness = adjust_contrast = random_brightness = random_contrast = kept


def convert_image_dtype(image, dtype, saturate=False, name=None):
    made = converted(image)
    return made if is_unknown(made) or not is_array(made) else like([made], shape_of(made), written(dtype))


def channels_are(given, image, count, error):
    """Requires a number of channels of what was given as a tensor; NumPy's arrays raise in other ways."""
    size = shape_of(image)[-1]
    if is_constant(size) and is_tensor(given):
        message = f"the last axis of an image of shape {shown(shape_of(image))} has {count} channels"
        require(size == count, misfit(image) if error is InvalidArgumentError else error, message)


def rgb_to_grayscale(images, name=None):
    made = converted(images)
    if is_unknown(made) or not ranked(made) or len(shape_of(made)) == 0:
        return unknown("unknown images")
    channels_are(images, made, 3, InvalidArgumentError)
    return like([made], shape_of(made)[:-1] + (1,), dtype_of(made))


def grayscale_to_rgb(images, name=None):
    made = converted(images)
    if is_unknown(made) or not ranked(made) or len(shape_of(made)) == 0:
        return unknown("unknown images")
    channels_are(images, made, 1, ValueError)
    return like([made], shape_of(made)[:-1] + (3,), dtype_of(made))


def __getattr__(name):
    return unknown(name)
