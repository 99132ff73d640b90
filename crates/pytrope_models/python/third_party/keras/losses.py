"""keras.losses: as objects that compile takes, and as functions of targets and outputs."""

from _pytrope import is_unknown, unknown


class Loss:
    """A loss of the program's own derives from this and is called as it says."""

    _pytrope_kind = None

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, y_true, y_pred, sample_weight=None):
        return unknown("a loss")

    def call(self, y_true, y_pred):
        return unknown("a loss")

    def get_config(self):
        return unknown("a configuration")

    def __getattr__(self, name):
        return unknown("a part of a loss that is not modelled")


class MeanSquaredError(Loss):
    _pytrope_kind = "MeanSquaredError"


class MeanAbsoluteError(Loss):
    _pytrope_kind = "MeanAbsoluteError"


class Huber(Loss):
    _pytrope_kind = "Huber"


class BinaryCrossentropy(Loss):
    _pytrope_kind = "BinaryCrossentropy"


class CategoricalCrossentropy(Loss):
    _pytrope_kind = "CategoricalCrossentropy"


class SparseCategoricalCrossentropy(Loss):
    _pytrope_kind = "SparseCategoricalCrossentropy"


def __getattr__(name):
    return unknown(name)
