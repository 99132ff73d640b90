"""Preprocessing layers: those that keep shapes; the others are not followed."""

from _pytrope import unknown

from ._core import Same, Weightless


class Rescaling(Same):
    def __init__(self, scale, offset=0.0, **kwargs):
        super().__init__(**kwargs)


class Normalization(Same):
    def _pytrope_sizes(self):
        return unknown("the statistics of a normalization")

    def __init__(self, axis=-1, *args, **kwargs):
        super().__init__(**kwargs)

    def adapt(self, data, *args, **kwargs):
        return None


class RandomFlip(Same):
    pass


class RandomRotation(Same):
    pass


class RandomZoom(Same):
    pass


class RandomContrast(Same):
    pass


class RandomBrightness(Same):
    pass


class RandomTranslation(Same):
    pass


class _Unfollowed(Weightless):
    def adapt(self, data, *args, **kwargs):
        return None

    def call(self, inputs, *args, **kwargs):
        return unknown("a preprocessing layer")


class TextVectorization(_Unfollowed):
    pass


class StringLookup(_Unfollowed):
    pass


class IntegerLookup(_Unfollowed):
    pass


class CategoryEncoding(_Unfollowed):
    pass


class Hashing(_Unfollowed):
    pass


class Discretization(_Unfollowed):
    pass


class RandomCrop(_Unfollowed):
    pass
