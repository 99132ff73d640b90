"""Layers that take several inputs, and attention."""

from _pytrope import fresh, is_array, is_constant, is_unknown, require, shape_of, unknown

from keras._base import Layer, linked, sizes_of, with_bias
from tensorflow._make import shown, is_same, is_symbolic, like, misfit, ranked, same_size
from tensorflow._shaping import joined

from ._core import Weightless


def several(inputs):
    """The inputs of a merge; Unknown when one of them is."""
    if not isinstance(inputs, list):
        return unknown("a merge of one input")
    for x in inputs:
        if is_unknown(x) or not is_array(x) or not ranked(x):
            return unknown("a merge of unknown inputs")
    return inputs


class _Merge(Weightless):
    _pytrope_exactly = None

    def call(self, inputs, training=None, mask=None):
        xs = several(inputs)
        if is_unknown(xs) or len(xs) == 0:
            return unknown("a merge of unknown inputs")
        if self._pytrope_exactly is not None:
            require(
                len(xs) == self._pytrope_exactly,
                ValueError,
                f"{type(self).__name__} takes {self._pytrope_exactly} inputs, but this list has {len(xs)}",
                rule="layer-mismatch",
            )
        shape = shape_of(xs[0])
        for x in xs[1:]:
            shape = merged(shape, shape_of(x))
            if is_unknown(shape):
                return unknown("a merge of different ranks")
        return like(xs, shape, "float32")


def merged(one, two):
    """The common shape behind the batch, axes counted from the end; sizes that are not known are not compared."""
    if len(one) == 0 or len(two) == 0:
        return unknown("a merge of scalars")
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    # Axes that the shorter shape lacks stand behind its batch.
    gap = len(longer) - len(shorter) + 1
    sizes = list(longer[:gap])
    for a, b in zip(longer[gap:], shorter[1:]):
        if is_constant(a) and is_constant(b):
            require(
                a == b or a == 1 or b == 1,
                ValueError,
                f"cannot merge inputs of shapes {shown(one)} and {shown(two)}: {a} ≠ {b}",
                rule="layer-mismatch",
            )
            sizes.append(b if a == 1 else a)
        elif is_constant(a) and a != 1:
            sizes.append(a)
        elif is_constant(b) and b != 1:
            sizes.append(b)
        elif is_same(a, b):
            sizes.append(a)
        else:
            sizes.append(fresh("size"))
    return tuple(sizes)


class Add(_Merge):
    pass


class Multiply(_Merge):
    pass


class Average(_Merge):
    pass


class Maximum(_Merge):
    pass


class Minimum(_Merge):
    pass


class Subtract(_Merge):
    _pytrope_exactly = 2


class Concatenate(Weightless):
    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs, training=None, mask=None):
        xs = several(inputs)
        if is_unknown(xs) or len(xs) == 0 or not is_constant(self.axis):
            return unknown("a merge of unknown inputs")
        shapes = [shape_of(x) for x in xs]
        if len(xs) == 1:
            return like(xs, shapes[0], "float32")
        rank = len(shapes[0])
        if rank > 1 and self.axis >= rank:
            raise IndexError(f"axis {self.axis} is out of range for tensors of rank {rank}")
        if rank == 0 or self.axis == 0 or self.axis >= rank or self.axis < -rank or self.axis == -rank:
            return unknown("a concatenation of batches")
        return like(xs, joined(shapes, self.axis, ValueError), "float32")


class Dot(Weightless):
    def __init__(self, axes, normalize=False, **kwargs):
        super().__init__(**kwargs)
        self.axes = axes

    def call(self, inputs, training=None, mask=None):
        xs = several(inputs)
        if is_unknown(xs) or not is_constant(self.axes):
            return unknown("a product of unknown inputs")
        require(len(xs) == 2, ValueError, f"Dot takes 2 inputs, but this list has {len(xs)}", rule="layer-mismatch")
        one, two = shape_of(xs[0]), shape_of(xs[1])
        left, right = (self.axes, self.axes) if isinstance(self.axes, int) else (self.axes[0], self.axes[1])
        left = left + len(one) if left < 0 else left
        right = right + len(two) if right < 0 else right
        if left >= len(one) and right >= len(two):
            require(
                False,
                IndexError,
                f"Dot along axes {left} and {right}: shapes {shown(one)} and {shown(two)} do not have them",
                rule="axis-out-of-range",
            )
        if left < 1 or right < 1 or left >= len(one) or right >= len(two):
            return unknown("a product along other axes")
        require(
            same_size(one[left], two[right]),
            ValueError,
            f"Dot along axes {left} and {right} of shapes {shown(one)} and {shown(two)}: {one[left]} ≠ {two[right]}",
            rule="layer-mismatch",
        )
        rest = [size for at, size in enumerate(one) if at != left]
        rest.extend([size for at, size in enumerate(two) if at != right and at != 0])
        if len(rest) == 1:
            rest.append(1)
        return like(xs, tuple(rest), "float32")


def add(inputs, **kwargs):
    return Add(**kwargs)(inputs)


def subtract(inputs, **kwargs):
    return Subtract(**kwargs)(inputs)


def multiply(inputs, **kwargs):
    return Multiply(**kwargs)(inputs)


def average(inputs, **kwargs):
    return Average(**kwargs)(inputs)


def maximum(inputs, **kwargs):
    return Maximum(**kwargs)(inputs)


def minimum(inputs, **kwargs):
    return Minimum(**kwargs)(inputs)


def concatenate(inputs, axis=-1, **kwargs):
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs, axes=-1, **kwargs):
    return Dot(axes=axes, **kwargs)(inputs)


class Attention(Layer):
    def __init__(self, use_scale=False, *args, score_mode="dot", **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale
        self.score_mode = score_mode

    def _pytrope_sizes(self):
        if not is_constant((self.use_scale, self.score_mode)):
            return unknown("the weights of attention")
        scales = [()] if self.use_scale else []
        return scales + [()] if self.score_mode == "concat" else scales

    def call(self, inputs, mask=None, training=None, return_attention_scores=False, use_causal_mask=False):
        xs = several(inputs)
        if is_unknown(xs) or len(xs) < 2 or return_attention_scores:
            return unknown("attention to unknown inputs")
        query, value = shape_of(xs[0]), shape_of(xs[1])
        key = shape_of(xs[2]) if len(xs) > 2 else value
        if len(query) != 3 or len(value) != 3 or len(key) != 3:
            return unknown("attention of another rank")
        if len([x for x in xs if is_symbolic(x)]) == 0:
            # Keras 3 does not compare symbolic inputs.
            self._pytrope_scored(query, key, misfit(*xs))
        return like(xs, query[:-1] + value[-1:], "float32")

    def _pytrope_scored(self, query, key, error):
        message = f"queries of shape {shown(query)} do not fit keys of shape {shown(key)}"
        require(same_size(query[-1], key[-1]), error, message, rule="layer-mismatch")


class AdditiveAttention(Attention):
    def __init__(self, use_scale=True, *args, **kwargs):
        super().__init__(use_scale, **kwargs)

    def _pytrope_sizes(self):
        given = self._pytrope_given
        if not isinstance(given, list) or len(given) == 0 or is_unknown(given[0]) or not is_constant(self.use_scale):
            return unknown("the weights of attention")
        return with_bias([], (given[0][-1],), self.use_scale)

    def _pytrope_scored(self, query, key, error):
        return None


class MultiHeadAttention(Layer):
    def __init__(self, num_heads, key_dim, value_dim=None, dropout=0.0, use_bias=True, output_shape=None, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.key_dim = key_dim
        self.value_dim = key_dim if value_dim is None else value_dim
        self.use_bias = use_bias
        self._pytrope_output = output_shape

    def _pytrope_called(self, query, value=None, key=None, *args, **kwargs):
        if self._pytrope_given is None:
            self._pytrope_given = [sizes_of(query), sizes_of(value), sizes_of(value if key is None else key)]
        made = self.call(query, value, key, *args, **kwargs)
        linked(made, [query, value, key])
        self._pytrope_made(made, (query, value, key) + args, kwargs)
        return made

    def call(self, query, value=None, key=None, *args, return_attention_scores=False, **kwargs):
        if not is_array(query) or not ranked(query) or self._pytrope_output is not None:
            return unknown("attention to unknown inputs")
        if not is_constant(return_attention_scores) or return_attention_scores:
            return unknown("attention with its scores")
        others = [x for x in (query, value, key) if x is not None and is_array(x)]
        return like(others, shape_of(query), "float32")

    def _pytrope_sizes(self):
        """For the queries, the keys, the values and the result: a kernel, and a bias if there are any."""
        given = self._pytrope_given
        if given is None or not is_constant((self.num_heads, self.key_dim, self.value_dim, self.use_bias)):
            return unknown("the weights of attention")
        for shape in given:
            if is_unknown(shape) or not is_constant(shape[-1]):
                return unknown("the weights of attention")
        heads, width = self.num_heads, given[0][-1]
        queries = with_bias([(width, heads, self.key_dim)], (heads, self.key_dim), self.use_bias)
        keys = with_bias([(given[2][-1], heads, self.key_dim)], (heads, self.key_dim), self.use_bias)
        values = with_bias([(given[1][-1], heads, self.value_dim)], (heads, self.value_dim), self.use_bias)
        return queries + keys + values + with_bias([(heads, self.value_dim, width)], (width,), self.use_bias)
