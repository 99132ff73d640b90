"""PIL.Image: an image has a mode and a size, and is an array of bytes with as many channels as its mode says."""

from _pytrope import array, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

# Channels of the modes that people use; 0 where the array has no axis for them.
CHANNELS = {
    "L": 0,
    "P": 0,
    "RGB": 3,
    "RGBA": 4,
    "CMYK": 4,
    "YCbCr": 3,
    "HSV": 3,
    "LAB": 3,
    "LA": 2,
    "I": 0,
    "F": 0,
    "1": 0,
}
DTYPES = {"I": "int32", "F": "float32", "1": "bool"}


class Image:
    _pytrope_converts = True

    def __init__(self):
        self.mode = unknown("the mode of an image")
        self.size = (fresh("width"), fresh("height"))

    @property
    def width(self):
        return self.size[0]

    @property
    def height(self):
        return self.size[1]

    def __array__(self, dtype=None, copy=None):
        from numpy import ndarray

        mode = self.mode
        if is_unknown(mode) or not is_constant(mode) or mode not in CHANNELS or is_unknown(self.size):
            return array(ndarray, unknown("the channels of an image"), unknown("the elements of an image"))
        width, height = self.size
        channels = CHANNELS[mode]
        return array(ndarray, (height, width) + ((channels,) if channels > 0 else ()), DTYPES.get(mode, "uint8"))

    def convert(self, mode=None, *args, **options):
        return image_of(unknown("the mode of an image") if mode is None else mode, self.size)

    def resize(self, size, *args, **options):
        return image_of(self.mode, size_of(size))

    def crop(self, box=None):
        if isinstance(box, (tuple, list)) and is_constant(len(box)) and len(box) == 4:
            left, upper, right, lower = box
            for side in box:
                if is_unknown(side) or not isinstance(side, int):
                    return image_of(self.mode, any_size())
            return image_of(self.mode, (right - left, lower - upper))
        return image_of(self.mode, any_size())

    def copy(self):
        return image_of(self.mode, self.size)

    def rotate(self, angle, *args, expand=False, **options):
        return image_of(self.mode, self.size if len(args) < 2 and expand is False else any_size())

    def transpose(self, method):
        return image_of(self.mode, any_size())

    def filter(self, filter):
        return image_of(self.mode, self.size)

    def thumbnail(self, size, *args, **options):
        self.size = any_size()

    def load(self):
        return unknown("the pixels of an image")

    def close(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None

    def __getattr__(self, name):
        return unknown("a part of an image that is not modelled")


def any_size():
    return (fresh("width"), fresh("height"))


def size_of(size):
    if isinstance(size, (tuple, list)) and is_constant(len(size)) and len(size) == 2:
        for side in size:
            if is_unknown(side) or not isinstance(side, int):
                return any_size()
        return (size[0], size[1])
    return any_size()


def image_of(mode, size):
    made = Image()
    made.mode = mode
    made.size = size
    return made


def open(fp, mode="r", formats=None):
    return Image()


def new(mode, size, color=0):
    return image_of(mode, size_of(size))


# Element types that an array of bytes, or of three or four channels, may have.
PLAIN = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")


def fromarray(obj, mode=None):
    """The mode follows from the rank and the element type, if there is one for them."""
    if is_unknown(obj) or not is_array(obj) or mode is not None or not has_rank(shape_of(obj)):
        return Image()
    shape = shape_of(obj)
    kind = dtype_of(obj)
    message = f"there is no mode for an image of shape {shape} with elements of {kind}"
    require(len(shape) <= 3, TypeError, message, rule="shape-argument")
    if len(shape) < 2:
        return Image()
    if len(shape) == 2:
        if not is_unknown(kind):
            require(kind in PLAIN, TypeError, message, rule="shape-argument")
        return image_of("L" if not is_unknown(kind) and kind == "uint8" else unknown("a mode"), (shape[1], shape[0]))
    if is_constant(shape[2]):
        require(2 <= shape[2] and shape[2] <= 4, TypeError, message, rule="shape-argument")
        if not is_unknown(kind):
            require(kind == "uint8", TypeError, message, rule="shape-argument")
        modes = {2: "LA", 3: "RGB", 4: "RGBA"}
        if not is_unknown(kind) and kind == "uint8":
            return image_of(modes[shape[2]], (shape[1], shape[0]))
    return Image()


def __getattr__(name):
    return unknown(name)
