"""flax.nnx: modules are objects that hold their parameters. A name that is not here is Unknown."""

from _pytrope import dtype_of, has_rank, is_array, is_constant, is_unknown, require, set_attrs, shape_of, unknown

from jax._array import new_array
from jax.nn import (
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    one_hot,
    relu,
    sigmoid,
    silu,
    softmax,
    softplus,
    swish,
    tanh,
)

from .linen import avg_pool, max_pool


class Rngs:
    def __init__(self, *args, **options):
        pass

    def __getattr__(self, name):
        return unknown("a stream of random numbers")

    def __call__(self):
        return unknown("a random key")


class Module:
    """An object of the program; what it inherits from flax is not followed."""

    def __getattr__(self, name):
        return unknown("a part of a module that is not modelled")


class Same(Module):
    """A layer that gives what it gets, as far as its shape goes."""

    def __init__(self, *args, **options):
        pass

    def __call__(self, x, *args, **options):
        return new_array(shape_of(x), dtype_of(x)) if is_array(x) else unknown("a layer on an unknown value")


class Dropout(Same):
    pass


class LayerNorm(Same):
    pass


class RMSNorm(Same):
    pass


class BatchNorm(Same):
    pass


class GroupNorm(Same):
    pass


class Linear(Module):
    def __init__(self, in_features, out_features, *args, **options):
        set_attrs(self, in_features=in_features, out_features=out_features)

    def __call__(self, inputs, *args, **options):
        if not is_array(inputs) or not has_rank(shape_of(inputs)) or len(shape_of(inputs)) == 0:
            return unknown("a layer on an unknown value")
        own, given = self.in_features, shape_of(inputs)[-1]
        if is_unknown(own) or is_unknown(self.out_features):
            return unknown("a layer of unknown size")
        require(
            given == own,
            TypeError,
            f"Linear takes {own} features, but the input of shape {shape_of(inputs)} has {given}",
            rule="layer-mismatch",
        )
        return new_array(shape_of(inputs)[:-1] + (self.out_features,), unknown("the dtype of a layer"))


class Embed(Module):
    def __init__(self, num_embeddings, features, *args, **options):
        set_attrs(self, num_embeddings=num_embeddings, features=features)

    def __call__(self, inputs):
        if not is_array(inputs) or not has_rank(shape_of(inputs)) or is_unknown(self.features):
            return unknown("a layer on an unknown value")
        return new_array(shape_of(inputs) + (self.features,), unknown("the dtype of a layer"))


class Sequential(Module):
    def __init__(self, *layers):
        set_attrs(self, layers=layers)

    def __call__(self, x, *args, **options):
        if args or options or is_unknown(self.layers) or not has_rank(self.layers):
            return unknown("layers with further arguments")
        for layer in self.layers:
            x = layer(x)
        return x


class Optimizer(Module):
    """It changes the elements of parameters, not their shapes."""

    def __init__(self, model, tx, wrt=None):
        set_attrs(self, model=model)

    def update(self, *args, **options):
        return None


def display(*args):
    return None


def reads_only(*args, **options):
    return unknown("what is known of a module")


split = state = graphdef = clone = tabulate = variables = pop = reads_only


def jit(fun=None, **options):
    """A compiled function; what it decides by elements of a module's parameters is not followed."""
    if fun is None:
        return lambda function: jit(function, **options)
    return fun


def grad(fun=None, *, argnums=0, has_aux=False, **options):
    if fun is None:
        return lambda function: grad(function, argnums=argnums, has_aux=has_aux)
    return unknown("a derivative") if is_unknown(fun) else by_module(fun, has_aux, False)


def value_and_grad(fun=None, *, argnums=0, has_aux=False, **options):
    if fun is None:
        return lambda function: value_and_grad(function, argnums=argnums, has_aux=has_aux)
    return unknown("a derivative") if is_unknown(fun) else by_module(fun, has_aux, True)


def by_module(fun, has_aux, with_value):
    """The derivative by the parameters of a module, whose form is not followed."""

    def derivative(*args, **kwargs):
        result = fun(*args, **kwargs)
        value = result
        if not is_constant(has_aux):
            return unknown("a derivative")
        if has_aux:
            value = result[0] if isinstance(result, tuple) else unknown("a value with further results")
        if is_array(value) and has_rank(shape_of(value)):
            require(
                len(shape_of(value)) == 0,
                TypeError,
                f"grad needs a function with a scalar result, but this one returns shape {shape_of(value)}",
                rule="shape-argument",
            )
        if with_value:
            return (result, unknown("gradients"))
        return (unknown("gradients"), result[1]) if has_aux and isinstance(result, tuple) else unknown("gradients")

    return derivative


def __getattr__(name):
    return unknown(name)
