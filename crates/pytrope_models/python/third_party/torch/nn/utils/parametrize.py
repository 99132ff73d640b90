"""torch.nn.utils.parametrize: a parameter is computed by a module from another one."""

from _pytrope import is_unknown, require, shape_of, unknown

from ..._make import is_tensor, ranked


def mark_computed(module):
    """From here on parameters of other names stand for one of this module, which keeps its shape."""
    if not is_unknown(module) and not is_unknown(module._parameters):
        module._pytrope_set("_parameters", unknown("the parameters that others are computed from"))
    return module


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """What the module gives takes the place of the parameter; it has the same shape."""
    if is_unknown(module) or is_unknown(tensor_name) or is_unknown(parametrization):
        return unknown("a module with computed parameters")
    own = getattr(module, tensor_name)
    made = parametrization(own)
    if unsafe is False and is_tensor(own) and is_tensor(made) and ranked(own) and ranked(made):
        message = f"a parametrisation turns shape {shape_of(own)} into {shape_of(made)}"
        require(shape_of(own) == shape_of(made), ValueError, message, rule="layer-mismatch")
    module._pytrope_set(tensor_name, made)
    return mark_computed(module)


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    return module


def is_parametrized(module, tensor_name=None):
    return bool(unknown("whether a parameter is computed"))
