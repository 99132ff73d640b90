"""torch.optim: optimizers change the elements of parameters and nothing else."""

import torch

from _pytrope import is_constant, is_unknown, proved, require, unknown

from . import lr_scheduler
from .._make import is_tensor
from ..nn._module import Module
from .._values import forget

__all__ = ["Optimizer", "lr_scheduler"]


class Optimizer:
    def __init__(self, params, defaults=None, *args, **kwargs):
        self.defaults = unknown("the defaults of an optimizer")
        self.state = unknown("the state of an optimizer")
        self.param_groups = unknown("the groups of parameters")
        if is_unknown(params):
            return
        if is_tensor(params):
            require(
                False, TypeError, "an optimizer takes an iterable of parameters, not one tensor", rule="bad-operand"
            )
        refuse_what_has_no_items(params)
        members = list(params)
        if is_constant(len(members)):
            require(
                len(members) > 0,
                ValueError,
                "an optimizer got no parameters",
                rule="bad-operand",
                help="a generator gives its parameters once: list(model.parameters()) keeps them",
            )
        groups = []
        for parameter in members:
            if is_unknown(parameter):
                continue
            if proved(getattr(parameter, "__next__", None) is not None):
                message = "an optimizer takes tensors or groups of them, not generators"
                require(False, TypeError, message, rule="bad-operand", help="list(…) + list(…) joins parameters")
            if is_tensor(parameter):
                # What a step makes of them is not followed.
                forget(parameter)
            elif isinstance(parameter, Module):
                require(
                    False,
                    TypeError,
                    "an optimizer takes tensors or groups of them, not modules",
                    rule="bad-operand",
                    help=".parameters() gives the parameters of a module",
                )
            elif isinstance(parameter, dict):
                groups.append(group_of(parameter))
            elif isinstance(parameter, str):
                require(
                    False,
                    TypeError,
                    f"an optimizer takes tensors or groups of them, not a {type(parameter).__name__}",
                    rule="bad-operand",
                )
        apart(groups)

    def step(self, closure=None):
        return None if closure is None else closure()

    def zero_grad(self, set_to_none=True):
        return None

    def state_dict(self):
        return unknown("the state of an optimizer")

    def load_state_dict(self, state_dict):
        return None

    def add_param_group(self, param_group):
        return None

    def __getattr__(self, name):
        return unknown("a property of an optimizer")


def refuse_what_has_no_items(params):
    """A module, a method that is not called, and None give no parameters."""
    kind = type(params).__name__
    is_module = isinstance(params, Module) and getattr(params, "__iter__", None) is None
    if params is None or is_module or is_constant(kind) and kind in ("method", "function"):
        raise TypeError(f"an optimizer takes an iterable of parameters, such as model.parameters(), not a {kind}")


# How many parameters of a group are compared with those of others.
COMPARED = 64


def group_of(options):
    """The parameters of a group; empty where they are not known."""
    given = options.get("params")
    if is_unknown(given):
        return []
    members = [given] if is_tensor(given) else list(given)
    for one in members:
        if not is_unknown(one) and is_tensor(one):
            forget(one)
    return members if is_constant(len(members)) and len(members) <= COMPARED else []


def apart(groups):
    """No parameter is in two groups."""
    before = []
    for members in groups:
        for one in members:
            for other in before:
                require(one is not other, ValueError, "a parameter is in two groups of an optimizer")
        before = before + members


class _Kind(Optimizer):
    """Each kind of optimizer has options of its own, and a constructor for them."""

    def __init__(self, params, *args, **kwargs):
        super().__init__(params, unknown("the defaults of an optimizer"))


class SGD(_Kind):
    pass


class Adam(_Kind):
    pass


class AdamW(_Kind):
    pass


class Adamax(_Kind):
    pass


class Adagrad(_Kind):
    pass


class Adadelta(_Kind):
    pass


class Adafactor(_Kind):
    pass


class ASGD(_Kind):
    pass


class NAdam(_Kind):
    pass


class RAdam(_Kind):
    pass


class RMSprop(_Kind):
    pass


class Rprop(_Kind):
    pass


class SparseAdam(_Kind):
    pass


class LBFGS(_Kind):
    pass


class Muon(_Kind):
    pass
