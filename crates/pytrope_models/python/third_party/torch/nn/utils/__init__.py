"""torch.nn.utils: gradients, vectors of parameters, reparametrisations."""

from _pytrope import product, shape_of

from ..._make import tensor_arg, tensor
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
    return module


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    return module


def remove_weight_norm(module, name="weight"):
    return module
