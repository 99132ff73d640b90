"""Losses as functions: which shapes fit, which only broadcast, which raise."""

from _pytrope import (
    broadcast,
    dtype_of,
    is_constant,
    is_unknown,
    lifted,
    proved,
    refuted,
    require,
    shape_of,
    unknown,
    values_of,
    warn,
)

from .. import _dtypes
from .._make import is_tensor, tensor_arg, ranked, tensor, unranked
from .._elementwise import fits, has_kernel
from .._versions import IS_NEW, UNSUPPORTED, by_release

# Functions with the parameters of every release of the library, as `conformance/torch/parameters.py` compares them.
_pytrope_exact = (
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "cross_entropy",
    "ctc_loss",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
)


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
        advice = "give input and target the same shape, with `unsqueeze`, `squeeze` or `view`"
        for k in range(1, min(len(a), len(b)) + 1):
            if not (proved(a[-k] == b[-k]) or proved(a[-k] == 1) or proved(b[-k] == 1)):
                # They broadcast for some sizes alone.
                open_size, other = (b[-k], a[-k]) if is_constant(a[-k]) else (a[-k], b[-k])
                warn(
                    "silent-broadcast",
                    f"{name} of shapes {a} and {b} raises unless {open_size} is 1 or {other}, and broadcasts them then",
                    help=advice,
                )
                return
        warn(
            "silent-broadcast",
            f"{name} of shapes {a} and {b} broadcasts them to {broadcast(a, b, error=RuntimeError)}",
            help=advice,
        )


@lifted(tensor_arg, "input", "target")
def pairwise(input, target, reduction, name, dtype=None):
    """Losses that broadcast, with a warning of PyTorch's own."""
    shape = broadcast(shape_of(input), shape_of(target), error=RuntimeError)
    suspicious(input, target, name)
    return reduced(shape, _dtypes.result(input, target) if dtype is None else dtype, reduction)


def of_floats(input, target, name, error=UNSUPPORTED):
    """A loss that is written for floats alone; another type of the target counts once both have been promoted."""
    if is_tensor(input) and is_tensor(target):
        kind = _dtypes.category(_dtypes.result(input, target))
        if not is_unknown(kind):
            require(
                kind == 2,
                error,
                f"{name} is not defined for {dtype_of(input)} and {dtype_of(target)}",
                rule="bad-operand",
            )


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    of_floats(input, target, "mse_loss")
    return pairwise(input, target, old_style(reduction, size_average, reduce), "mse_loss")


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    result = pairwise(input, target, old_style(reduction, size_average, reduce), "l1_loss")
    for side in (input, target):
        if is_tensor(side) and not is_unknown(dtype_of(side)):
            require(
                dtype_of(side) != "bool",
                UNSUPPORTED,
                "l1_loss subtracts, and bools cannot be subtracted",
                rule="bad-operand",
            )
    if is_tensor(result) and not is_unknown(dtype_of(result)):
        kind = _dtypes.category(dtype_of(result))
        if not is_unknown(kind) and is_constant(reduction) and reduction == "mean" and size_average is None:
            require(kind >= 2, UNSUPPORTED, f"l1_loss cannot take the mean of {dtype_of(result)}", rule="bad-operand")
        return tensor(shape_of(result), _dtypes.magnitude(dtype_of(result)))
    return result


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    of_floats(input, target, "smooth_l1_loss")
    return pairwise(input, target, old_style(reduction, size_average, reduce), "smooth_l1_loss")


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    if (
        is_tensor(input)
        and is_tensor(target)
        and not is_unknown(dtype_of(target))
        and dtype_of(input) == dtype_of(target)
    ):
        of_floats(input, target, "huber_loss")
    elif is_tensor(input) and not is_unknown(dtype_of(input)):
        _writes_floats(input, target)
        require(
            _dtypes.category(dtype_of(input)) != 3,
            UNSUPPORTED,
            f"huber_loss is not defined for {dtype_of(input)}",
            rule="bad-operand",
        )
    return pairwise(input, target, reduction, "huber_loss", unknown("the type of the input, or what both promote to"))


def _writes_floats(input, target):
    """What both promote to is written where the input's type is."""
    if is_tensor(target) and IS_NEW:
        own, other = _dtypes.category(dtype_of(input)), _dtypes.category(dtype_of(target))
        if not is_unknown(own) and not is_unknown(other) and own < 2 and own != other:
            message = f"huber_loss is not defined for {dtype_of(input)} and {dtype_of(target)}"
            require(False, UNSUPPORTED if own > other else RuntimeError, message, rule="bad-operand")


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    for side in (input, target):
        if is_tensor(side):
            kind = _dtypes.category(dtype_of(side))
            if not is_unknown(kind):
                require(kind == 2, RuntimeError, f"kl_div takes floats, not {dtype_of(side)}", rule="bad-operand")
    return pairwise(input, target, old_style(reduction, size_average, reduce), "kl_div")


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction="mean"
):
    return pairwise(input, target, old_style(reduction, size_average, reduce), "poisson_nll_loss", unknown("a float"))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if is_tensor(input) and is_tensor(target) and ranked(input) and ranked(target):
        fits(shape_of(target), shape_of(input))
        if IS_NEW:
            has_kernel(dtype_of(input), (2, 3), "soft_margin_loss", RuntimeError)
    return pairwise(input, target, old_style(reduction, size_average, reduce), "soft_margin_loss")


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    if IS_NEW and is_tensor(input) and is_constant(reduction) and reduction == "mean":
        has_kernel(dtype_of(input), (2,), "hinge_embedding_loss")
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


@lifted(tensor_arg, "input", "target")
def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    chosen = old_style(reduction, size_average, reduce)
    if not is_unknown(chosen):
        require(chosen in ("mean", "sum", "none"), ValueError, f"{chosen!r} is not a reduction")
    equal_shapes(input, target, "binary_cross_entropy")
    if not is_unknown(dtype_of(input)) and not is_unknown(dtype_of(target)):
        require(
            dtype_of(input) == dtype_of(target),
            RuntimeError,
            f"binary_cross_entropy needs one type, not {dtype_of(input)} and {dtype_of(target)}",
        )
        has_kernel(dtype_of(input), (2, 3), "binary_cross_entropy")
    if weight is not None:
        broadcast(shape_of(tensor_arg(weight)), shape_of(target), error=RuntimeError)
    return reduced(shape_of(input), dtype_of(input), chosen)


@lifted(tensor_arg, "input", "target")
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    chosen = old_style(reduction, size_average, reduce)
    if not is_unknown(chosen):
        require(chosen in ("mean", "sum", "none"), ValueError, f"{chosen!r} is not a reduction")
    equal_shapes(input, target, "binary_cross_entropy_with_logits")
    if pos_weight is not None:
        broadcast(shape_of(tensor_arg(pos_weight)), shape_of(target), error=RuntimeError)
    if not is_unknown(dtype_of(target)):
        require(
            dtype_of(target) != "bool",
            UNSUPPORTED,
            "binary_cross_entropy_with_logits subtracts the target, and bools cannot be subtracted",
            rule="bad-operand",
        )
    dtype = dtype_of(input)
    if not is_unknown(dtype) and not is_unknown(dtype_of(target)):
        require(_dtypes.category(dtype) >= 2, UNSUPPORTED, f"the loss is not defined for {dtype}", rule="bad-operand")
        if _dtypes.category(dtype) == 2 and _dtypes.category(dtype_of(target)) == 1:
            require(
                False,
                RuntimeError,
                f"binary_cross_entropy_with_logits of {dtype} writes floats where the target holds {dtype_of(target)}",
                rule="bad-operand",
            )
        require(_dtypes.category(dtype) != 3, UNSUPPORTED, f"the loss is not defined for {dtype}", rule="bad-operand")
    if is_unknown(dtype) or is_unknown(dtype_of(target)) or dtype_of(target) != dtype:
        dtype = unknown("a target of another type")
    return reduced(shape_of(input), dtype, chosen)


@lifted(tensor_arg, "input", "target")
def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    chosen = old_style(reduction, size_average, reduce)
    if not ranked(input) or not ranked(target):
        return tensor((), dtype_of(input)) if is_constant(chosen) and chosen != "none" else unranked(dtype_of(input))
    a = shape_of(input)
    b = shape_of(target)
    if probabilities(a, b):
        if not is_unknown(dtype_of(target)):
            require(
                _dtypes.category(dtype_of(target)) >= 2,
                RuntimeError,
                f"cross_entropy of shapes {a} and {b} takes probabilities, but the target holds {dtype_of(target)}",
            )
        require(len(a) >= 1, IndexError, "cross_entropy needs a dimension of classes")
        dtype = dtype_of(input)
        if not is_unknown(dtype) and not is_unknown(dtype_of(target)):
            require(
                _dtypes.category(dtype) == 2,
                UNSUPPORTED,
                f"cross_entropy is not defined for {dtype}",
                rule="bad-operand",
            )
        if is_unknown(dtype_of(target)) or is_unknown(dtype) or dtype_of(target) != dtype:
            dtype = unknown("probabilities of another type")
        return reduced(a[:1] + a[2:] if len(a) > 1 else (), dtype, chosen)
    return classes(input, target, weight, chosen, "cross_entropy", ignore_index)


def probabilities(a, b):
    """A target of the input's own shape holds one probability for each class."""
    if len(a) != len(b):
        return False
    for k in range(len(a)):
        if not proved(a[k] == b[k]):
            return False
    return True


@lifted(tensor_arg, "input", "target")
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    chosen = old_style(reduction, size_average, reduce)
    if is_constant(chosen) and chosen not in ("mean", "sum", "none"):
        return unknown("an unknown reduction")
    if not ranked(input) or not ranked(target):
        return tensor((), dtype_of(input)) if is_constant(chosen) and chosen != "none" else unranked(dtype_of(input))
    return classes(input, target, weight, chosen, "nll_loss", ignore_index)


def classes(x, y, weight, reduction, name, ignored=None):
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
    why = "the classes are axis 1 of the input, so " if len(a) >= 2 else ""
    needed = message + f": {why}the target should have shape {places}"
    if len(a) >= 2 and len(b) == 0:
        if not is_constant(a[0]):
            return unranked(dtype_of(x))
        raise (IndexError if a[0] == 0 else ValueError)(needed)
    wrong = RuntimeError
    if len(a) == 1 and len(b) == 1 and is_constant(dtype_of(y)) and dtype_of(y)[:3] == "int":
        wrong = by_release(RuntimeError, ValueError)
    require(len(b) == len(places), wrong, needed)
    for k in range(len(places)):
        require(b[k] == places[k], wrong, needed)
    of_scores = _dtypes.category(dtype_of(x))
    if not is_unknown(of_scores) and (name == "cross_entropy" or dtype_of(y) in ("int64", "uint8")):
        require(of_scores == 2, UNSUPPORTED, f"{name} is not defined for scores of {dtype_of(x)}", rule="bad-operand")
    if not is_unknown(dtype_of(y)):
        require(dtype_of(y) in ("int64", "uint8"), RuntimeError, f"{name} takes classes as int64, not {dtype_of(y)}")
    if len(places) > 0 or len(a) == 1:
        _among_classes(y, a[1] if len(a) >= 2 else a[0], ignored)
    if weight is not None and not is_unknown(weight):
        w = tensor_arg(weight)
        if ranked(w):
            count = a[1] if len(a) >= 2 else a[0]
            require(
                len(shape_of(w)) == 1 and shape_of(w)[0] == count,
                RuntimeError,
                f"{name} needs a vector of {count} weights, one for each class, not shape {shape_of(w)}",
            )
    return reduced(places, dtype_of(x), reduction)


def _among_classes(y, count, ignored):
    """Classes that are known are among those that there are scores for, unless they are left out."""
    known = values_of(y)
    if known is None or is_unknown(known) or not is_constant(ignored) or ignored is None:
        return
    for place in known:
        if isinstance(place, int) and place != ignored:
            require(
                0 <= place and place < count,
                IndexError,
                f"target {place} is out of bounds for {count} classes",
                rule="index-out-of-bounds",
            )


@lifted(tensor_arg, "anchor", "positive", "negative")
def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, size_average=None, reduce=None, reduction="mean"
):
    if ranked(anchor) and ranked(positive) and ranked(negative):
        require(
            len(shape_of(anchor)) == len(shape_of(positive)) and len(shape_of(positive)) == len(shape_of(negative)),
            RuntimeError,
            f"triplet_margin_loss of {shape_of(anchor)}, {shape_of(positive)} and {shape_of(negative)}: "
            "the ranks differ",
        )
    shape = broadcast(shape_of(anchor), shape_of(positive), shape_of(negative), error=RuntimeError)
    return reduced(shape[:-1] if not is_unknown(shape) else shape, dtype_of(anchor), reduction)


@lifted(tensor_arg, "input1", "input2", "target")
def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    if ranked(input1) and ranked(input2) and ranked(target):
        a = shape_of(input1)
        message = f"cosine_embedding_loss of {a}, {shape_of(input2)} and {shape_of(target)}"
        require(len(a) == len(shape_of(target)) + 1, RuntimeError, message)
        require(len(a) == 1 or len(a) == 2, RuntimeError, message)
        broadcast(a[:-1], shape_of(input2)[:-1], shape_of(target), error=RuntimeError)
        if IS_NEW:
            has_kernel(dtype_of(input1), (0, 1, 2), "cosine_embedding_loss")
    return reduced(unknown("cosine_embedding_loss keeps the batch"), _dtypes.floating(dtype_of(input1)), reduction)


def kl_div_of_torch(input, target, reduction=1, *, log_target=False):
    """torch.kl_div names its reductions by numbers."""
    kl_div(input, target, reduction="none")
    return unknown("a loss with a numbered reduction")


def cosine_embedding_loss_of_torch(input1, input2, target, margin=0.0, reduction=1):
    cosine_embedding_loss(input1, input2, target)
    return unknown("a loss with a numbered reduction")


def binary_cross_entropy_with_logits_of_torch(input, target, weight=None, pos_weight=None, reduction=1):
    binary_cross_entropy_with_logits(input, target, weight, reduction="none", pos_weight=pos_weight)
    return unknown("a loss with a numbered reduction")


@lifted(tensor_arg, "input1", "input2", "target")
def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    if ranked(input1) and ranked(input2) and ranked(target):
        require(
            len(shape_of(input1)) == len(shape_of(input2)) and len(shape_of(input2)) == len(shape_of(target)),
            RuntimeError,
            f"margin_ranking_loss of {shape_of(input1)}, {shape_of(input2)} and {shape_of(target)}: the ranks differ",
        )
    return reduced(
        broadcast(shape_of(input1), shape_of(input2), shape_of(target), error=RuntimeError), dtype_of(input1), reduction
    )


def _one_or_two(a, b, name):
    """Scores of one sample, or of a batch."""
    if IS_NEW:
        require(
            len(a) in (1, 2) or len(a) == len(b) == 0,
            RuntimeError,
            f"{name} takes scores of rank 1 or 2, not shape {a}",
        )
        if len(a) == 1:
            require(len(b) <= 1, RuntimeError, f"{name} of scores of shape {a} takes no labels of shape {b}")
            if name == "multi_margin_loss" and len(b) == 1:
                require(b[0] == 1, RuntimeError, f"{name} of one sample takes one label, not {b[0]}")


@lifted(tensor_arg, "input", "target")
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if ranked(input) and ranked(target):
        a = shape_of(input)
        b = shape_of(target)
        _one_or_two(a, b, "multi_margin_loss")
        if len(a) == 2:
            require(
                len(b) == 1 and b[0] == a[0],
                RuntimeError,
                f"multi_margin_loss of {a} needs one label for each row, not labels of shape {b}",
            )
        has_kernel(dtype_of(input), (2,), "multi_margin_loss")
    return reduced(unknown("one for each row"), dtype_of(input), reduction)


@lifted(tensor_arg, "input", "target")
def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    if ranked(input) and ranked(target):
        message = f"multilabel_margin_loss needs equal shapes: {shape_of(input)} and {shape_of(target)}"
        _one_or_two(shape_of(input), shape_of(target), "multilabel_margin_loss")
        if IS_NEW and len(shape_of(input)) == 1:
            for size in shape_of(input):
                require(len(shape_of(target)) == 1 or size == 1, RuntimeError, message)
        if IS_NEW:
            has_kernel(dtype_of(input), (2,), "multilabel_margin_loss")
        if len(shape_of(input)) == 2:
            require(len(shape_of(input)) == len(shape_of(target)), RuntimeError, message)
            for k in range(len(shape_of(input))):
                require(shape_of(input)[k] == shape_of(target)[k], RuntimeError, message)
    return reduced(unknown("one for each row"), dtype_of(input), reduction)


@lifted(tensor_arg, "input")
def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if is_unknown(target) or not is_tensor(target):
        return reduced(unknown("one for each row"), dtype_of(input), reduction)
    shape = broadcast(shape_of(input), shape_of(target), error=RuntimeError)
    if is_unknown(shape) or not ranked(input) or len(shape_of(input)) == 0:
        if IS_NEW and ranked(input):
            require(len(shape_of(input)) > 0, IndexError, "multilabel_soft_margin_loss needs classes")
        return reduced(unknown("one for each row"), dtype_of(input), reduction)
    if IS_NEW:
        has_kernel(dtype_of(input), (2,), "multilabel_soft_margin_loss")
    # The classes are the last dimension of the input, wherever that stands in the common shape.
    place = len(shape_of(input)) - 1
    return reduced(shape[:place] + shape[place + 1 :], dtype_of(input), reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    if is_tensor(input) and is_tensor(target):
        broadcast(shape_of(input), shape_of(target), error=RuntimeError)
        if IS_NEW and dtype_of(input) == dtype_of(target):
            has_kernel(dtype_of(input), (2, 3), "gaussian_nll_loss", RuntimeError)
            has_kernel(dtype_of(input), (2,), "gaussian_nll_loss")
    return reduced(unknown("broadcast of three"), dtype_of(tensor_arg(input)), reduction)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    x = tensor_arg(log_probs)
    if IS_NEW and ranked(x):
        shape = shape_of(x)
        message = f"ctc_loss takes log-probabilities of rank 3, or 2 without a batch, not shape {shape}"
        require(len(shape) > 0, IndexError, message)
        require(len(shape) in (2, 3), RuntimeError, message)
        has_kernel(dtype_of(x), (2,), "ctc_loss")
        batch = shape[1] if len(shape) == 3 else 1
        for lengths in (input_lengths, target_lengths):
            if is_tensor(lengths) and ranked(lengths) and len(shape_of(lengths)) == 1:
                count = shape_of(lengths)[0]
                message = f"ctc_loss of a batch of {batch} takes as many lengths, not {count}"
                require(count == batch, RuntimeError, message)
    return reduced(unknown("one for each sequence"), dtype_of(tensor_arg(log_probs)), reduction)
