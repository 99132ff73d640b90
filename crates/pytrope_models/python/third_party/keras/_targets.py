"""How losses compare targets with outputs: which shapes a training step refuses.

What Keras 2 and Keras 3 both refuse is reported. A training step is traced, and the batch of a traced step is open:
what fails for its size alone fails when the step runs, as `InvalidArgumentError`.
"""

from _pytrope import is_array, is_constant, is_unknown, product, require, shape_of

from tensorflow._make import all_constant, ranked, shown
from tensorflow.errors import InvalidArgumentError

# The classes of distributions are equal in number, whatever the loss multiplies.
EQUAL = ("categorical_crossentropy", "CategoricalCrossentropy")
# One label stands for each distribution.
SPARSE = ("sparse_categorical_crossentropy", "SparseCategoricalCrossentropy")
BROADCAST = (
    "mse",
    "mae",
    "mean_squared_error",
    "mean_absolute_error",
    "MeanSquaredError",
    "MeanAbsoluteError",
    "Huber",
    "huber",
    "binary_crossentropy",
    "BinaryCrossentropy",
    "KLDivergence",
)


def loss_kind(loss):
    """The name of a loss that is known; None for all others."""
    from . import losses

    if is_unknown(loss) or loss is None:
        return None
    if isinstance(loss, str):
        return loss if is_constant(loss) else None
    if isinstance(loss, losses.Loss):
        return loss._pytrope_kind
    for name, function in losses.FUNCTIONS:
        if loss is function:
            return name
    return None


def column(target, output):
    """The target as training gives it to a loss: a flat one becomes a column if the output is a matrix."""
    return target + (1,) if len(target) == 1 and len(output) == 2 else target


def aligned(target, output):
    """Both shapes as a loss sees them, or None where a size decides that is not known: an axis of size 1 at the end is
    dropped from the shape that is longer by one."""
    if len(target) == len(output) + 1:
        if not is_constant(target[-1]):
            return None
        if target[-1] == 1:
            target = target[:-1]
    elif len(output) == len(target) + 1:
        if not is_constant(output[-1]):
            return None
        if output[-1] == 1:
            output = output[:-1]
    return target, output


def is_strict(kind, loss, output):
    """Whether binary crossentropy is computed from logits, which no release broadcasts."""
    if kind not in ("binary_crossentropy", "BinaryCrossentropy"):
        return False
    if not isinstance(loss, str) and getattr(loss, "_pytrope_logits", False) is True:
        return True
    squashed = output._squashed
    return is_constant(squashed) and squashed in ("sigmoid", "softmax")


def target_fits(loss, target, output, batch=None, error=InvalidArgumentError):
    """Requires that a loss can compare a target with an output. `batch` is the size of the first batch, where it is
    known; `error` is raised where that size decides."""
    kind = loss_kind(loss)
    if kind is None or is_unknown(target) or is_unknown(output) or not is_array(target) or not is_array(output):
        return
    if not ranked(target) or not ranked(output) or len(shape_of(target)) == 0 or len(shape_of(output)) == 0:
        return
    given, made = shape_of(target), shape_of(output)
    message = f"the target has shape {shown(given)} and the output {shown(made)}, which {kind} cannot compare"
    if kind in SPARSE:
        labels_fit(given, made, message)
        return
    pair = aligned(column(given, made), made)
    if pair is None:
        return
    given, made = pair
    if kind in EQUAL or is_strict(kind, loss, output):
        require(len(given) == len(made), ValueError, message, rule="layer-mismatch")
        for a, b in zip(given[1:], made[1:]):
            if is_constant(a) and is_constant(b):
                require(a == b, ValueError, message, rule="layer-mismatch")
    elif kind in BROADCAST:
        broadcasts(given, made, batch, error, message)


def labels_fit(given, made, message):
    """As many labels as distributions, batch aside. Outputs of one class are left alone."""
    if len(made) < 2 or not all_constant(given[1:]) or not all_constant(made[1:]) or made[-1] == 1:
        return
    require(product(given[1:]) == product(made[1:-1]), ValueError, message, rule="layer-mismatch")


def broadcasts(given, made, batch, error, message):
    """Sizes that are equal or 1, counted from the end; first the ones that are known before a batch is."""
    open_pairs = []
    for place in range(1, min(len(given), len(made)) + 1):
        a, b = given[-place], made[-place]
        if place == len(given) or place == len(made):
            if len(given) != len(made):
                open_pairs.append((batch, b) if place == len(given) else (a, batch))
        elif is_constant(a) and is_constant(b) and a != 1 and b != 1:
            require(a == b, ValueError, message, rule="layer-mismatch")
    for a, b in open_pairs:
        if is_constant(a) and is_constant(b) and a is not None and b is not None and a != 1 and b != 1:
            require(a == b, error, message, rule="layer-mismatch")
