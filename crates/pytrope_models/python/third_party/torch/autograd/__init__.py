"""torch.autograd: gradients have the shapes of what they are taken by."""

from _pytrope import is_constant, is_unknown, product, require, shape_of, unknown

from .._make import is_tensor, ranked
from .._modes import enable_grad, no_grad, set_grad_enabled
from .._origin import grad_mode, set_grad_mode
from ..func import like_argument
from . import functional


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """A tuple, with one gradient for each input."""
    if grad_outputs is None and not is_unknown(outputs) and is_tensor(outputs) and ranked(outputs):
        require(
            product(shape_of(outputs)) == 1,
            RuntimeError,
            f"a gradient needs a scalar output, not shape {shape_of(outputs)}",
        )
    if is_unknown(inputs) or is_grads_batched is not False:
        return unknown("gradients with respect to unknown inputs")
    if allow_unused is not None and allow_unused is not False:
        # A gradient may be None.
        return unknown("gradients that may be missing")
    if is_tensor(inputs):
        return (like_argument(inputs),)
    if isinstance(inputs, (tuple, list)) and is_constant(len(inputs)):
        return tuple([like_argument(part) for part in inputs])
    return unknown("gradients with respect to unknown inputs")


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    return None


def Variable(data, requires_grad=False, volatile=False):
    """Tensors are variables since 0.4."""
    if not is_constant(requires_grad) or requires_grad:
        # The same elements in a tensor that requires a gradient, which `data` itself does not.
        data._origin = unknown("whether gradients flow into it")
    return data


class _Context:
    """What `forward` leaves for `backward`."""

    needs_input_grad = unknown("which inputs need gradients")

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        pass

    def mark_dirty(self, *args):
        pass

    def mark_non_differentiable(self, *args):
        pass

    def set_materialize_grads(self, value):
        pass


class Function:
    """Operations with their own gradients: what `forward` gives is the result."""

    def __init__(self, *args, **kwargs):
        pass

    # An instance of a subclass was called in the time before static methods.
    def __call__(self, *args, **kwargs):
        return unknown("a call of an autograd function's instance")

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError

    @classmethod
    def apply(cls, *args):
        # It runs without gradients, and which of its results require one is said by its context.
        before = grad_mode()
        set_grad_mode(unknown("whether a function's results require gradients"))
        try:
            if cls.setup_context is Function.setup_context:
                result = cls.forward(_Context(), *args)
            else:
                # The context is set up behind the operation, from its inputs and its result.
                result = cls.forward(*args)
        finally:
            set_grad_mode(before)
        return result
