"""optax: updates have the shapes of the parameters. A name that is not here is Unknown."""

from _pytrope import broadcast, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from jax._array import new_array
from jax.tree_util import tree_map


class State(unknown("a named tuple of an optimizer")):
    """Means of gradients, which have the shapes of the parameters that the optimizer was made for."""

    def __init__(self, means):
        self._means = means


class GradientTransformation:
    def __init__(self, has_means=False):
        self._has_means = has_means

    def init(self, params):
        return State(tree_map(same_shape, params)) if self._has_means else unknown("the state of an optimizer")

    def update(self, updates, state, params=None, **options):
        if isinstance(state, State) and self._has_means:
            tree_map(sum_of, updates, state._means)
        return (tree_map(same_shape, updates), state if self._has_means else unknown("the state of an optimizer"))

    def __getattr__(self, name):
        return unknown("a part of an optimizer")


def same_shape(x):
    from _pytrope import dtype_of

    return new_array(shape_of(x), dtype_of(x)) if is_array(x) else unknown("an update")


def sum_of(x, y):
    """Arrays that are added to each other; what they have to broadcast to is left to the caller."""
    if is_array(x) and is_array(y) and has_rank(shape_of(x)) and has_rank(shape_of(y)):
        broadcast(x, y, error=TypeError if len(shape_of(x)) == len(shape_of(y)) else ValueError)
    return x


def optimizer(*args, **options):
    return GradientTransformation()


def with_means(*args, **options):
    return GradientTransformation(True)


sgd = chain = optimizer
adam = adamw = rmsprop = adagrad = lion = lamb = nadam = with_means


def apply_updates(params, updates):
    tree_map(sum_of, params, updates)
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
