"""keras.losses: as objects that compile takes, and as functions of targets and outputs."""

from _pytrope import require, shape_of, unknown

from tensorflow._make import converted, ranked, same_size, shown


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

    def __call__(self, y_true, y_pred, sample_weight=None):
        """One label for each row of the output."""
        labels, output = converted(y_true), converted(y_pred)
        if ranked(labels) and ranked(output) and len(shape_of(output)) == len(shape_of(labels)) + 1:
            for a, b in zip(shape_of(labels), shape_of(output)):
                require(
                    same_size(a, b),
                    ValueError,
                    f"labels of shape {shown(shape_of(labels))} for an output of shape {shown(shape_of(output))}",
                    rule="layer-mismatch",
                )
        return unknown("a loss")


def __getattr__(name):
    return unknown(name)
