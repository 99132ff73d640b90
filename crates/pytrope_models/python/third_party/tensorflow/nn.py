"""tf.nn: functions of neural networks, as far as they keep shapes."""

from _pytrope import dtype_of, is_constant, is_unknown, require, shape_of, unknown

from ._elementwise import along_axis, l2_normalize, mapped
from ._make import shown, converted, like, misfit, operands, ranked, same_size

relu = relu6 = elu = selu = gelu = silu = swish = sigmoid = tanh = softplus = softsign = leaky_relu = crelu = mapped
softmax = log_softmax = along_axis


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    return mapped(x)


def bias_add(value, bias, data_format=None, name=None):
    x, b = operands(value, bias)
    if is_unknown(x) or is_unknown(b) or not ranked(x) or not ranked(b) or data_format is not None:
        return unknown("an unknown bias")
    return like([x], shape_of(x), dtype_of(x))


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    a, b = operands(logits, labels)
    if is_unknown(a) or is_unknown(b) or not ranked(a) or not ranked(b):
        return unknown("a loss of unknown tensors")
    one, two = shape_of(a), shape_of(b)
    message = f"logits of shape {shown(one)} do not fit labels of shape {shown(two)}"
    require(len(one) == len(two), ValueError, message, rule="shape-argument")
    for x, y in zip(one, two):
        require(same_size(x, y), ValueError, message, rule="shape-argument")
    return like([a, b], one, dtype_of(a))


def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    a, b = operands(logits, labels)
    if is_unknown(a) or is_unknown(b) or not ranked(a) or not ranked(b) or axis != -1 or len(shape_of(a)) == 0:
        return unknown("a loss of unknown tensors")
    one, two = shape_of(a), shape_of(b)
    if len(one) == 2 and len(two) == 2 and is_constant(one[1]) and is_constant(two[1]) and one[1] != 1 and two[1] != 1:
        require(
            one[1] == two[1],
            misfit(a, b),
            f"logits of shape {shown(one)} do not fit labels of shape {shown(two)}",
            rule="shape-argument",
        )
    return like([a, b], one[:-1], dtype_of(a))


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    a, b = converted(logits), converted(labels)
    if is_unknown(a) or is_unknown(b) or not ranked(a) or not ranked(b) or len(shape_of(a)) == 0:
        return unknown("a loss of unknown tensors")
    if len(shape_of(b)) != len(shape_of(a)) - 1:
        require(
            False,
            ValueError,
            f"labels of shape {shown(shape_of(b))} and logits of shape {shown(shape_of(a))}: labels need one rank less",
            rule="shape-argument",
        )
    for x, y in zip(shape_of(b), shape_of(a)):
        require(
            same_size(x, y),
            ValueError,
            f"labels of shape {shown(shape_of(b))} do not fit logits of shape {shown(shape_of(a))}",
            rule="shape-argument",
        )
    return like([a, b], shape_of(b), dtype_of(a))


def embedding_lookup(params, ids, max_norm=None, name=None):
    table, x = converted(params), converted(ids)
    if is_unknown(table) or is_unknown(x) or not ranked(table) or not ranked(x) or len(shape_of(table)) == 0:
        return unknown("an embedding of unknown tensors")
    return like([table, x], shape_of(x) + shape_of(table)[1:], dtype_of(table))


def __getattr__(name):
    return unknown(name)
