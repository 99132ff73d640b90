"""TensorFlow 2, as far as shapes and element types go. A name that is not here is Unknown.

Eager operations raise `InvalidArgumentError`, traced ones `ValueError`. `tf.keras` is the model of Keras.
"""

from _pytrope import is_unknown, unknown

from ._dtypes import bool_
from ._dtypes import (
    DType,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._elementwise import (
    add_n,
    arg_reduction,
    both,
    clip_by_value,
    compared,
    cumulated,
    mapped,
    norm,
    quotient,
    reduction,
)
from ._make import MODE
from ._products import einsum, matmul, tensordot
from ._shaping import (
    broadcast_to,
    cast,
    concat,
    constant,
    convert_to_tensor,
    expand_dims,
    eye,
    fill,
    gather,
    identity,
    linspace,
    one_hot,
    ones,
    ones_like,
    pad,
    rank,
    repeat,
    reshape,
    reverse,
    roll,
    shape,
    size,
    split,
    squeeze,
    stack,
    tile,
    transpose,
    unstack,
    where,
    zeros,
    zeros_like,
)
from ._shaping import range_ as range
from ._tensor import Tensor, TensorShape, Variable
from ._training import GradientTape, TensorSpec, function, py_function, stop_gradient

bool = bool_
half = float16
double = float64
newaxis = None

abs = exp = floor = negative = round = sigmoid = sign = sin = sinh = sqrt = square = tan = tanh = mapped
cos = cosh = acos = asin = atan = logical_not = mapped
add = subtract = multiply = maximum = minimum = pow = logical_and = logical_or = both
divide = truediv = quotient
equal = not_equal = greater = greater_equal = less = less_equal = compared
reduce_sum = reduce_mean = reduce_max = reduce_min = reduce_prod = reduce_any = reduce_all = reduction
reduce_logsumexp = reduction
argmax = argmin = arg_reduction
cumsum = cumulated


def executing_eagerly():
    return unknown("whether a function is traced")


def is_tensor(x):
    return unknown("whether a value is a tensor") if is_unknown(x) else isinstance(x, Tensor)
