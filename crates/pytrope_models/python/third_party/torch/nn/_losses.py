"""Losses as functions: which shapes fit, which only broadcast, which raise."""

from _pytrope import broadcast, dtype_of, is_constant, is_unknown, proved, refuted, require, shape_of, unknown, warn

from .. import _dtypes
from .._make import tensor_arg, ranked, tensor, unranked


def reduced(shape, dtype, reduction):
    """The value of a loss: one number, or one for each element."""
    if is_unknown(reduction):
        return unranked(dtype)
    if reduction == "none":
        return tensor(shape, dtype)
    require(reduction in ("mean", "sum", "batchmean"), ValueError, f"{reduction!r} is not a reduction")
    return tensor((), dtype)


def old_style(reduction, size_average, reduce):
    """The names of the reductions before PyTorch 0.4.1."""
    if size_average is None and reduce is None:
        return reduction
    return unknown("size_average and reduce are deprecated")


def suspicious(x, y, name):
    """A loss of (n, 1) against (n,) runs, and compares every row with every other."""
    if not ranked(x) or not ranked(y):
        return
    a = shape_of(x)
    b = shape_of(y)
    different = len(a) != len(b)
    for k in range(1, min(len(a), len(b)) + 1):
        if refuted(a[-k] == b[-k]):
            different = True
    if different and (len(a) > 0 and len(b) > 0):
        warn(
            "silent-broadcast", f"{name} of shapes {a} and {b} broadcasts them to {broadcast(a, b, error=RuntimeError)}"
        )


def pairwise(input, target, reduction, name, dtype=None):
    """Losses that broadcast, with a warning of PyTorch's own."""
    x = tensor_arg(input)
    y = tensor_arg(target, "target")
    shape = broadcast(shape_of(x), shape_of(y), error=RuntimeError)
    suspicious(x, y, name)
    return reduced(shape, _dtypes.result(x, y) if dtype is None else dtype, reduction)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "mse_loss")


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "l1_loss")


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "smooth_l1_loss")


def huber_loss(input, target, reduction="mean", delta=1.0):
    return pairwise(input, target, reduction, "huber_loss")


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "kl_div")


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"
):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "poisson_nll_loss")


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "soft_margin_loss")


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "hinge_embedding_loss")


def equal_shapes(x, y, name):
    """Losses that refuse to broadcast."""
    if not ranked(x) or not ranked(y):
        return
    a = shape_of(x)
    b = shape_of(y)
    message = f"{name} needs equal shapes: {a} and {b}"
    require(len(a) == len(b), ValueError, message)
    for k in range(len(a)):
        require(a[k] == b[k], ValueError, message)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    x = tensor_arg(input)
    y = tensor_arg(target, "target")
    chosen = old_style(reduction, size_average, reduce)
    if not is_unknown(chosen):
        require(chosen in ("mean", "sum", "none"), ValueError, f"{chosen!r} is not a reduction")
    equal_shapes(x, y, "binary_cross_entropy")
    if not is_unknown(dtype_of(x)) and not is_unknown(dtype_of(y)):
        require(dtype_of(x) == dtype_of(y), RuntimeError, f"binary_cross_entropy of {dtype_of(x)} and {dtype_of(y)}")
    if weight is not None:
        broadcast(shape_of(tensor_arg(weight)), shape_of(y), error=RuntimeError)
    return reduced(shape_of(x), dtype_of(x), chosen)


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    x = tensor_arg(input)
    y = tensor_arg(target, "target")
    chosen = old_style(reduction, size_average, reduce)
    if not is_unknown(chosen):
        require(chosen in ("mean", "sum", "none"), ValueError, f"{chosen!r} is not a reduction")
    equal_shapes(x, y, "binary_cross_entropy_with_logits")
    if pos_weight is not None:
        broadcast(shape_of(tensor_arg(pos_weight)), shape_of(y), error=RuntimeError)
    return reduced(shape_of(x), dtype_of(x), chosen)


def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    x = tensor_arg(input)
    y = tensor_arg(target, "target")
    chosen = old_style(reduction, size_average, reduce)
    if not ranked(x) or not ranked(y):
        return tensor((), dtype_of(x)) if is_constant(chosen) and chosen != "none" else unranked(dtype_of(x))
    a = shape_of(x)
    b = shape_of(y)
    if probabilities(a, b):
        if not is_unknown(dtype_of(y)):
            require(
                _dtypes.category(dtype_of(y)) >= 2,
                RuntimeError,
                f"cross_entropy of shapes {a} and {b} takes probabilities, and the target holds {dtype_of(y)}",
            )
        require(len(a) >= 1, IndexError, "cross_entropy needs classes")
        return reduced(a[:1] + a[2:] if len(a) > 1 else (), dtype_of(x), chosen)
    return classes(x, y, weight, chosen, "cross_entropy")


def probabilities(a, b):
    """A target of the input's own shape holds one probability for each class."""
    if len(a) != len(b):
        return False
    for k in range(len(a)):
        if not proved(a[k] == b[k]):
            return False
    return True


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    x = tensor_arg(input)
    y = tensor_arg(target, "target")
    chosen = old_style(reduction, size_average, reduce)
    if is_constant(chosen) and chosen not in ("mean", "sum", "none"):
        return unknown("a reduction that is not known")
    if not ranked(x) or not ranked(y):
        return tensor((), dtype_of(x)) if is_constant(chosen) and chosen != "none" else unranked(dtype_of(x))
    return classes(x, y, weight, chosen, "nll_loss")


def classes(x, y, weight, reduction, name):
    """One class index for each place of the input that is left when its classes are gone."""
    a = shape_of(x)
    b = shape_of(y)
    message = f"{name} of an input of shape {a} and a target of shape {b}"
    if name == "cross_entropy":
        require(len(a) >= 1, IndexError, message + ": the input has no classes")
    require(len(a) >= 1, ValueError, message + ": the input has no classes")
    if len(a) >= 2 and len(b) >= 1:
        require(a[0] == b[0], ValueError, message + f": the batches differ, {a[0]} ≠ {b[0]}")
    places = a[:1] + a[2:] if len(a) >= 2 else ()
    if len(a) >= 2 and len(b) == 0:
        if not is_constant(a[0]):
            return unranked(dtype_of(x))
        raise (IndexError if a[0] == 0 else ValueError)(message + f": the target should have shape {places}")
    wrong = RuntimeError
    require(len(b) == len(places), wrong, message + f": the target should have shape {places}")
    for k in range(len(places)):
        require(b[k] == places[k], wrong, message + f": the target should have shape {places}")
    if not is_unknown(dtype_of(y)):
        require(dtype_of(y) in ("int64", "uint8"), RuntimeError, f"{name} takes classes as int64, not {dtype_of(y)}")
    if weight is not None and not is_unknown(weight):
        w = tensor_arg(weight)
        if ranked(w):
            count = a[1] if len(a) >= 2 else a[0]
            require(
                len(shape_of(w)) == 1 and shape_of(w)[0] == count,
                RuntimeError,
                f"{name} has weights of shape {shape_of(w)} for {count} classes",
            )
    return reduced(places, dtype_of(x), reduction)


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, size_average=None, reduce=None, reduction="mean"
):
    a = tensor_arg(anchor)
    b = tensor_arg(positive)
    c = tensor_arg(negative)
    if ranked(a) and ranked(b) and ranked(c):
        require(
            len(shape_of(a)) == len(shape_of(b)) and len(shape_of(b)) == len(shape_of(c)),
            RuntimeError,
            f"triplet_margin_loss of {shape_of(a)}, {shape_of(b)} and {shape_of(c)}: the ranks differ",
        )
    shape = broadcast(shape_of(a), shape_of(b), shape_of(c), error=RuntimeError)
    return reduced(shape[:-1] if not is_unknown(shape) else shape, dtype_of(a), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    x = tensor_arg(input1)
    y = tensor_arg(input2)
    z = tensor_arg(target)
    if ranked(x) and ranked(y) and ranked(z):
        a = shape_of(x)
        message = f"cosine_embedding_loss of {a}, {shape_of(y)} and {shape_of(z)}"
        require(len(a) == len(shape_of(z)) + 1, RuntimeError, message)
        require(len(a) == 1 or len(a) == 2, RuntimeError, message)
        broadcast(a[:-1], shape_of(y)[:-1], shape_of(z), error=RuntimeError)
    return reduced(unknown("cosine_embedding_loss keeps the batch"), dtype_of(x), reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    x = tensor_arg(input1)
    y = tensor_arg(input2)
    z = tensor_arg(target)
    if ranked(x) and ranked(y) and ranked(z):
        require(
            len(shape_of(x)) == len(shape_of(y)) and len(shape_of(y)) == len(shape_of(z)),
            RuntimeError,
            f"margin_ranking_loss of {shape_of(x)}, {shape_of(y)} and {shape_of(z)}: the ranks differ",
        )
    return reduced(broadcast(shape_of(x), shape_of(y), shape_of(z), error=RuntimeError), dtype_of(x), reduction)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    x = tensor_arg(input)
    y = tensor_arg(target)
    if ranked(x) and ranked(y):
        a = shape_of(x)
        b = shape_of(y)
        if len(a) == 2:
            require(len(b) == 1 and b[0] == a[0], RuntimeError, f"multi_margin_loss of {a} and {b}")
    return reduced(unknown("one for each row"), dtype_of(x), reduction)


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    x = tensor_arg(input)
    y = tensor_arg(target)
    if ranked(x) and ranked(y):
        message = f"multilabel_margin_loss needs equal shapes: {shape_of(x)} and {shape_of(y)}"
        if len(shape_of(x)) == 2:
            require(len(shape_of(x)) == len(shape_of(y)), RuntimeError, message)
            for k in range(len(shape_of(x))):
                require(shape_of(x)[k] == shape_of(y)[k], RuntimeError, message)
    return reduced(unknown("one for each row"), dtype_of(x), reduction)


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    x = tensor_arg(input)
    y = tensor_arg(target)
    shape = broadcast(shape_of(x), shape_of(y), error=RuntimeError)
    return reduced(shape[:-1] if not is_unknown(shape) else shape, dtype_of(x), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    return reduced(unknown("broadcast of three"), dtype_of(tensor_arg(input)), reduction)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    return reduced(unknown("one for each sequence"), dtype_of(tensor_arg(log_probs)), reduction)
