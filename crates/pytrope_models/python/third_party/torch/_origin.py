"""Where a tensor is, and whether gradients flow into it: kept as far as both are certain.

`tensor._origin` is `(device, needs_grad, is_leaf, keeps)`: "cpu", "cuda" or another kind of device; whether it requires
a gradient; whether it was made so by the program; whether its autograd graph holds values that `backward` frees. Each
part may be Unknown; of a tensor without the attribute nothing of this is known. In functions that the program does not
call nothing is said: their callers decide whether they run under `no_grad`, and what is moved.
"""

from _pytrope import (
    closed_world,
    dtype_of,
    is_constant,
    is_unknown,
    is_untracked,
    require,
    set_setting,
    setting,
    shape_of,
    unknown,
)

from . import _dtypes
from ._reach import WRITING, carried, pass_bound

OPEN = unknown("not known for this tensor")

# Operations whose tensors are all among the operands that are passed on.
COMPLETE = """add sub mul div pow matmul mm bmm mv dot exp log sqrt real same number absolute total mean
    pairwise reshape transpose permute flatten squeeze unsqueeze clone softmax log_softmax sum""".split()
# Operations that take their tensors from one device, numbers in tensors without dimensions apart.
ONE_DEVICE = """add sub mul div pow maximum minimum remainder matmul mm bmm mv dot outer linear bilinear embedding
    convolution pairwise binary_cross_entropy binary_cross_entropy_with_logits cross_entropy nll_loss
    scaled_dot_product_attention""".split()
# Operations that need for `backward` what they computed with.
KEEPING = "pow matmul mm bmm linear convolution exp cross_entropy nll_loss binary_cross_entropy".split()
# Results that no gradient flows through, or that may be told to require one of their own.
CUT = ("detach",)
OWN = ("like", "random_like", "full_like", "bernoulli", "same_kind")


def grad_mode():
    """Whether gradients are kept here: True, False, or Unknown."""
    return OPEN if is_untracked() else setting("torch.grad", True)


def set_grad_mode(mode):
    set_setting("torch.grad", mode if is_constant(mode) and isinstance(mode, bool) else OPEN, True)


def set_default_kind(device):
    set_setting("torch.device", kind_of(device), "cpu")


def kind_of(device):
    """The kind of a device that is given by its name, its number or as an object."""
    if device is None:
        return OPEN if is_untracked() else setting("torch.device", "cpu")
    if is_unknown(device) or isinstance(device, bool):
        return OPEN
    if isinstance(device, int):
        return "cuda"
    name = device if isinstance(device, str) else getattr(device, "type", OPEN)
    if is_unknown(name) or not isinstance(name, str) or not is_constant(name):
        return OPEN
    return name.split(":")[0]


def placed(made, device=None, requires_grad=False):
    """A tensor that the program has made."""
    if not is_untracked() and not is_unknown(made):
        needed = requires_grad if is_constant(requires_grad) and isinstance(requires_grad, bool) else OPEN
        kind = _dtypes.category(dtype_of(made))
        if certain(needed, True) and not is_unknown(kind):
            require(
                kind >= 2,
                RuntimeError,
                f"only tensors of floats or complex numbers can require gradients, not {dtype_of(made)}",
            )
        made._origin = (kind_of(device), needed, True, False)
    return made


def moved(made, x, device):
    """A copy of `x` on another device, or with another element type."""
    if closed_world():
        return carried(made, x)
    origin = origin_of(x)
    if origin is not None and not is_unknown(made):
        made._origin = (
            origin[0] if device is None else kind_of(device),
            inherited_grad("same", made, (x,)),
            OPEN,
            origin[3],
        )
    elif device is not None and not is_untracked() and not is_unknown(made):
        made._origin = (kind_of(device), OPEN, OPEN, OPEN)
    return made


def origin_of(x):
    """What is known of a tensor, or None."""
    if is_untracked() or is_unknown(x):
        return None
    origin = getattr(x, "_origin", None)
    return None if is_unknown(origin) or not isinstance(origin, tuple) else origin


def certain(part, value):
    return is_constant(part) and part == value


def device_of(x):
    origin = origin_of(x)
    return OPEN if origin is None else origin[0]


def needs_grad(x):
    """True, False, or Unknown."""
    origin = origin_of(x)
    return OPEN if origin is None else origin[1]


def pass_on(result, name, *operands):
    """What an operation's result has of its operands."""
    if closed_world():
        return pass_bound(result, name, operands)
    if is_untracked() or is_unknown(result):
        return result
    if name in WRITING:
        written(operands[0])
        return result
    if name in ONE_DEVICE:
        one_device(operands)
    if isinstance(result, tuple):
        for part in result:
            mark(part, name, operands)
    else:
        mark(result, name, operands)
    return result


def tracked(result, name, *operands):
    """As `pass_on`, for operations whose operands may not be converted; nothing where none has an origin."""
    for x in operands:
        if getattr(x, "_origin", None) is not None:
            return pass_on(result, name, *operands)
    return result


def mark(result, name, operands):
    from ._make import is_tensor

    if is_unknown(result) or not is_tensor(result) or result._origin is not None:
        return
    for x in operands:
        if x is result:
            return
    result._origin = (common_device(operands), inherited_grad(name, result, operands), OPEN, keeps(name, operands))


def common_device(operands):
    """The device of the operands, if it is one and known for each of them."""
    found = None
    for x in operands:
        kind = device_of(x) if is_tensor_like(x) else None
        if kind is None:
            continue
        if not is_constant(kind) or found is not None and found != kind:
            return OPEN
        found = kind
    return OPEN if found is None else found


def is_tensor_like(x):
    from ._make import is_tensor

    return is_unknown(x) or is_tensor(x)


def one_device(operands):
    """Tensors that are combined are on one device; a number in a tensor may be on another."""
    from ._make import is_tensor, ranked

    first = None
    for x in operands:
        if is_unknown(x) or not is_tensor(x) or not ranked(x) or not is_constant(len(shape_of(x))):
            continue
        kind = device_of(x)
        if len(shape_of(x)) == 0 or not is_constant(kind):
            continue
        if first is None:
            first = kind
        elif not ("meta" in (first, kind)):
            require(
                first == kind,
                RuntimeError,
                f"the tensors are on different devices, {first} and {kind}",
                rule="bad-operand",
                help=".to(device) moves a tensor or a module",
            )


def inherited_grad(name, result, operands):
    kind = _dtypes.category(dtype_of(result))
    if not is_unknown(kind) and kind < 2 or name in CUT:
        return False
    mode = grad_mode()
    if is_unknown(kind) or name in OWN or not is_constant(mode):
        return OPEN
    if mode is False:
        return False
    are_free = name in COMPLETE
    for x in operands:
        if is_tensor_like(x):
            needed = needs_grad(x)
            if certain(needed, True):
                return True
            if not certain(needed, False):
                are_free = False
    return False if are_free else OPEN


def keeps(name, operands):
    """Whether the graph behind the result holds values that `backward` frees."""
    for x in operands:
        origin = origin_of(x)
        if origin is not None and certain(origin[1], True) and (name in KEEPING or certain(origin[3], True)):
            return True
    return OPEN


def written(x):
    """A tensor is written to. A leaf that requires a gradient refuses; what is written may bring its own graph."""
    origin = origin_of(x)
    if origin is None:
        return
    if certain(origin[1], True) and certain(origin[2], True) and certain(grad_mode(), True):
        raise RuntimeError(
            "a leaf tensor that requires a gradient cannot be written to in place; with torch.no_grad(): allows it"
        )
    x._origin = (origin[0], origin[1] if certain(origin[1], True) else OPEN, OPEN, OPEN)


def leave_memory(x):
    """What `numpy` refuses: tensors of other devices, and those that require gradients."""
    origin = origin_of(x)
    if origin is None:
        return
    if is_constant(origin[0]) and origin[0] != "cpu":
        raise TypeError(f"a tensor on {origin[0]} cannot be converted to NumPy; .cpu() copies it")
    if certain(origin[1], True) and certain(grad_mode(), True):
        raise RuntimeError(
            "a tensor that requires a gradient cannot be converted to NumPy; .detach() gives one that does not"
        )


def start_backward(x, retain_graph, create_graph):
    """`backward` needs a graph, and frees what is kept in it."""
    origin = origin_of(x)
    if origin is None:
        return
    if certain(origin[1], False):
        raise RuntimeError("this tensor does not require a gradient and has no `grad_fn`")
    if certain(x._is_freed, True) and certain(origin[1], True) and certain(origin[3], True):
        raise RuntimeError(
            "backward() through a graph that an earlier backward() has freed; retain_graph=True keeps it"
        )
    x._is_freed = (retain_graph is None or certain(retain_graph, False)) and certain(create_graph, False)
