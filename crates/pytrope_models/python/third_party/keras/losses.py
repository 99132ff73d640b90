"""keras.losses: as objects that compile takes, and as functions of targets and outputs."""

from _pytrope import dtype_of, is_constant, is_unknown, product, require, shape_of, unknown

from tensorflow._make import all_constant, converted, misfit, ranked, shown, tensor

from ._targets import BROADCAST, EQUAL, SPARSE, aligned


def compared(kind, y_true, y_pred, squeezed):
    """Requires that a loss can compare tensors that are there, and gives them; None where they are not known."""
    target, output = converted(y_true), converted(y_pred)
    if is_unknown(target) or is_unknown(output) or not ranked(target) or not ranked(output):
        return None
    given, made = shape_of(target), shape_of(output)
    message = f"the target has shape {shown(given)} and the output {shown(made)}, which {kind} cannot compare"
    if kind in SPARSE:
        if len(made) < 2 or not all_constant(given) or not all_constant(made) or made[-1] == 1:
            return None
        require(product(given) == product(made[:-1]), ValueError, message, rule="layer-mismatch")
        return target, output
    pair = aligned(given, made) if squeezed else (given, made)
    if pair is None:
        return None
    given, made = pair
    if kind in EQUAL:
        require(len(given) == len(made), ValueError, message, rule="layer-mismatch")
    for place in range(1, min(len(given), len(made)) + 1):
        a, b = given[-place], made[-place]
        if not is_constant(a) or not is_constant(b):
            continue
        if kind in EQUAL:
            require(a == b, ValueError, message, rule="layer-mismatch")
        elif kind in BROADCAST and a != 1 and b != 1:
            require(a == b, misfit(target, output), message, rule="layer-mismatch")
    return target, output


class Loss:
    """A loss of the program's own derives from this and is called as it says."""

    _pytrope_kind = None

    def __init__(self, *args, **kwargs):
        known = not is_unknown(kwargs)
        self._pytrope_plain = known and "reduction" not in kwargs
        self._pytrope_logits = known and "from_logits" in kwargs and kwargs["from_logits"]

    def __call__(self, y_true, y_pred, sample_weight=None):
        kind = self._pytrope_kind
        if kind is None:
            return unknown("a loss")
        known = compared(kind, y_true, y_pred, True)
        if known is None or sample_weight is not None or not self._pytrope_plain:
            return unknown("a loss")
        return tensor((), dtype_of(known[1]))

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


class KLDivergence(Loss):
    _pytrope_kind = "KLDivergence"


class BinaryCrossentropy(Loss):
    _pytrope_kind = "BinaryCrossentropy"


class CategoricalCrossentropy(Loss):
    _pytrope_kind = "CategoricalCrossentropy"


class SparseCategoricalCrossentropy(Loss):
    _pytrope_kind = "SparseCategoricalCrossentropy"


def categorical_crossentropy(y_true, y_pred, *args, **options):
    compared("categorical_crossentropy", y_true, y_pred, False)
    return unknown("losses of samples")


def sparse_categorical_crossentropy(y_true, y_pred, *args, **options):
    compared("sparse_categorical_crossentropy", y_true, y_pred, False)
    return unknown("losses of samples")


def binary_crossentropy(y_true, y_pred, *args, **options):
    compared("binary_crossentropy", y_true, y_pred, False)
    return unknown("losses of samples")


FUNCTIONS = (
    ("categorical_crossentropy", categorical_crossentropy),
    ("sparse_categorical_crossentropy", sparse_categorical_crossentropy),
    ("binary_crossentropy", binary_crossentropy),
)


def __getattr__(name):
    return unknown(name)
