"""Pictures of Pillow as far as transforms look at them: channels, height and width."""

from _pytrope import is_constant, unknown


class Picture:
    """An image that is no tensor yet."""

    def __init__(self, channels, height, width):
        self._channels = channels
        self._height = height
        self._width = width

    @property
    def size(self):
        return (self._width, self._height)

    @property
    def width(self):
        return self._width

    @property
    def height(self):
        return self._height

    def convert(self, mode=None, *args, **kwargs):
        channels = {"L": 1, "RGB": 3, "RGBA": 4, "1": 1, "HSV": 3, "YCbCr": 3}
        if not is_constant(mode) or mode not in channels:
            return unknown("an image of an unknown mode")
        return Picture(channels[mode], self._height, self._width)

    def resize(self, size, *args, **kwargs):
        return Picture(self._channels, size[1], size[0])

    def copy(self):
        return self

    def __getattr__(self, name):
        return unknown("a property of an image")
