"""OpenCV, as far as images have a known rank. A name that is not here is Unknown."""

from _pytrope import array, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, shape_of, unknown

IMREAD_UNCHANGED, IMREAD_GRAYSCALE, IMREAD_COLOR = -1, 0, 1
COLOR_BGR2RGB = COLOR_RGB2BGR = 4
COLOR_BGR2GRAY, COLOR_RGB2GRAY = 6, 7
COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
COLOR_BGR2HSV, COLOR_RGB2HSV, COLOR_HSV2BGR, COLOR_HSV2RGB = 40, 41, 54, 55
# The number of channels that a conversion gives; 0 where the axis goes.
CHANNELS = {4: 3, 6: 0, 7: 0, 8: 3, 40: 3, 41: 3, 54: 3, 55: 3}


def imread(filename, flags=IMREAD_COLOR):
    """An array, if the file can be read: everything that is done with None raises too."""
    from numpy import ndarray

    if is_constant(flags) and flags in (IMREAD_GRAYSCALE, IMREAD_COLOR):
        rest = () if flags == IMREAD_GRAYSCALE else (3,)
        return array(ndarray, (fresh("height"), fresh("width")) + rest, "uint8")
    return unknown("an image with all its channels")


def cvtColor(src, code, *args, **options):
    from numpy import ndarray

    if not is_array(src) or not has_rank(shape_of(src)) or not is_constant(code) or code not in CHANNELS:
        return unknown("an image in other colours")
    shape = shape_of(src)
    if len(shape) < 2:
        return unknown("colours of a value that is not an image")
    channels = CHANNELS[code]
    return array(ndarray, shape[:2] + ((channels,) if channels > 0 else ()), dtype_of(src))


def resize(src, dsize, *args, **options):
    from numpy import ndarray

    if not is_array(src) or not has_rank(shape_of(src)) or not isinstance(dsize, (tuple, list)) or len(dsize) != 2:
        return unknown("an image of another size")
    shape = shape_of(src)
    for side in dsize:
        if is_unknown(side) or not isinstance(side, int):
            return unknown("an image of another size")
    if len(shape) == 2:
        return array(ndarray, (dsize[1], dsize[0]), dtype_of(src))
    if len(shape) == 3 and is_constant(shape[2]) and 1 < shape[2] and shape[2] <= 4:
        return array(ndarray, (dsize[1], dsize[0], shape[2]), dtype_of(src))
    return unknown("an image of another size")


def __getattr__(name):
    return unknown(name)
