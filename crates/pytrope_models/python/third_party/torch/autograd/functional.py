"""torch.autograd.functional: derivatives of functions."""

from _pytrope import is_unknown, unknown

from ..func import derivative


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    if is_unknown(inputs) or isinstance(inputs, (tuple, list)):
        return unknown("derivatives with respect to several inputs")
    return derivative(func(inputs), inputs, 1)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    if is_unknown(inputs) or isinstance(inputs, (tuple, list)):
        return unknown("derivatives with respect to several inputs")
    return derivative(func(inputs), inputs, 2)
