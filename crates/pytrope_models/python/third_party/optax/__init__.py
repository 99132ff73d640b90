"""optax: updates have the shapes of the parameters. A name that is not here is Unknown."""

from _pytrope import has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from jax._array import new_array
from jax.tree_util import tree_map


class GradientTransformation:
    def __init__(self, *args, **options):
        pass

    def init(self, params):
        return unknown("the state of an optimizer")

    def update(self, updates, state, params=None, **options):
        return (tree_map(same_shape, updates), unknown("the state of an optimizer"))

    def __getattr__(self, name):
        return unknown("a part of an optimizer")


def same_shape(x):
    from _pytrope import dtype_of

    return new_array(shape_of(x), dtype_of(x)) if is_array(x) else unknown("an update")


def optimizer(*args, **options):
    return GradientTransformation()


sgd = adam = adamw = rmsprop = adagrad = lion = lamb = nadam = chain = optimizer


def apply_updates(params, updates):
    return tree_map(same_shape, params)


def softmax_cross_entropy_with_integer_labels(logits, labels, *args, **options):
    """One loss for each label."""
    for x in (logits, labels):
        if is_unknown(x) or not is_array(x) or not has_rank(shape_of(x)):
            return unknown("a loss of an unknown value")
    one, two = shape_of(logits), shape_of(labels)
    if len(args) > 0 or len(options) > 0 or len(one) != len(two) + 1:
        return unknown("a loss with unexpected ranks")
    for a, b in zip(one, two):
        if is_constant(a) and is_constant(b) and a != 1 and b != 1:
            require(
                a == b,
                ValueError,
                f"logits of shape {one} do not fit labels of shape {two}",
                rule="shape-argument",
            )
    return new_array(two, "float32")


def softmax_cross_entropy(logits, labels, *args, **options):
    return unknown("a loss")
