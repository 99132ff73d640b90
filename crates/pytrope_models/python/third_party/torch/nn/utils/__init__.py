"""torch.nn.utils: gradients, vectors of parameters, reparametrisations."""

from _pytrope import dtype_of, is_unknown, product, shape_of

from ..._make import is_tensor, ranked, tensor, tensor_arg
from ..parameter import parameter
from . import parametrizations, parametrize, rnn


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return tensor((), "float32")


def clip_grad_value_(parameters, clip_value, foreach=None):
    return None


def parameters_to_vector(parameters):
    count = 0
    for parameter in parameters:
        count = count + product(shape_of(tensor_arg(parameter)))
    return tensor((count,), "float32")


def vector_to_parameters(vec, parameters):
    return None


def weight_norm(module, name="weight", dim=0):
    """The weight is a plain tensor from here on, computed from parameters for its length and its direction."""
    if is_unknown(module) or is_unknown(name) or is_unknown(dim) or is_unknown(module._parameters):
        return module
    weight = module._parameters[name]
    if is_unknown(weight) or not is_tensor(weight) or not ranked(weight):
        return module
    sizes = shape_of(weight)
    lengths = () if dim is None else tuple([sizes[k] if k == dim else 1 for k in range(len(sizes))])
    del module._parameters[name]
    setattr(module, name + "_g", parameter(lengths, dtype_of(weight)))
    setattr(module, name + "_v", parameter(sizes, dtype_of(weight)))
    return module


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    return module


def remove_weight_norm(module, name="weight"):
    held = module._parameters
    if not is_unknown(held) and not is_unknown(name) and name + "_g" in held and name + "_v" in held:
        weight = held[name + "_v"]
        del held[name + "_g"]
        del held[name + "_v"]
        setattr(module, name, weight)
    return module
