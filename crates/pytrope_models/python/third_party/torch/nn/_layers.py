"""Linear maps, normalisation, activations, embeddings, attention, as functions."""

from _pytrope import broadcast, dtype_of, fresh, is_constant, is_unknown, product, proved, require, shape_of

from .. import _dtypes
from .._make import alike, axis, tensor_arg, is_tensor, ranked, shown, known_suffix, tensor, trailing, unranked


def linear(input, weight, bias=None):
    x = tensor_arg(input)
    w = tensor_arg(weight, "weight")
    known = known_suffix(x)
    if not ranked(w):
        return unranked(dtype_of(x))
    own = shape_of(w)
    require(
        1 <= len(own) and len(own) <= 2,
        RuntimeError,
        f"the weight of linear is a matrix, not shape {own}",
        rule="layer-mismatch",
    )
    if ranked(x):
        require(len(known) >= 1, RuntimeError, "linear needs at least one dimension", rule="layer-mismatch")
    if len(known) >= 1:
        require(
            known[-1] == own[-1],
            RuntimeError,
            f"linear expects {own[-1]} features, and the input of shape {shown(x)} has {known[-1]}",
            rule="layer-mismatch",
        )
    _same_dtype(x, w)
    out = (own[0],) if len(own) == 2 else ()
    if not ranked(x):
        return trailing(known[:-1] + out, dtype_of(w))
    if bias is not None and not is_unknown(bias):
        b = tensor_arg(bias, "bias")
        if ranked(b):
            message = f"the bias of shape {shape_of(b)} does not fit the output {known[:-1] + out}"
            shape = broadcast(known[:-1] + out, shape_of(b), error=RuntimeError)
            require(len(shape) == len(known[:-1] + out), RuntimeError, message, rule="layer-mismatch")
    return tensor(known[:-1] + out, dtype_of(x))


def _same_dtype(x, w):
    if not is_unknown(dtype_of(x)) and not is_unknown(dtype_of(w)):
        require(dtype_of(x) == dtype_of(w), RuntimeError, f"the input is {dtype_of(x)} and the weight {dtype_of(w)}")


def bilinear(input1, input2, weight, bias=None):
    x = tensor_arg(input1)
    y = tensor_arg(input2)
    w = tensor_arg(weight, "weight")
    if not ranked(x) or not ranked(y) or not ranked(w):
        return unranked(dtype_of(x))
    a = shape_of(x)
    b = shape_of(y)
    own = shape_of(w)
    require(len(a) == len(b), RuntimeError, f"bilinear of {a} and {b}: the ranks differ", rule="layer-mismatch")
    for k in range(len(a) - 1):
        require(
            a[k] == b[k], RuntimeError, f"bilinear of {a} and {b}: {a[k]} ≠ {b[k]} at dim {k}", rule="layer-mismatch"
        )
    require(
        a[-1] == own[1],
        RuntimeError,
        f"bilinear expects {own[1]} features on the left, not shape {a}",
        rule="layer-mismatch",
    )
    require(
        b[-1] == own[2],
        RuntimeError,
        f"bilinear expects {own[2]} features on the right, not shape {b}",
        rule="layer-mismatch",
    )
    return tensor(a[:-1] + (own[0],), dtype_of(x))


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    x = tensor_arg(input)
    w = tensor_arg(weight, "weight")
    if ranked(w):
        require(
            len(shape_of(w)) == 2,
            RuntimeError,
            f"the weight of embedding is a matrix, not shape {shape_of(w)}",
            rule="layer-mismatch",
        )
        _below(x, shape_of(w)[0])
    kind = _dtypes.category(dtype_of(x))
    if not is_unknown(kind):
        require(
            dtype_of(x) == "int64" or dtype_of(x) == "int32",
            RuntimeError,
            f"embedding takes int64 or int32 indices, not {dtype_of(x)}",
        )
    if not ranked(w):
        return unranked()
    if not ranked(x):
        return trailing(known_suffix(x) + (shape_of(w)[1],), dtype_of(w))
    return tensor(shape_of(x) + (shape_of(w)[1],), dtype_of(w))


def _below(x, count):
    from _pytrope import values_of

    known = values_of(x)
    if known is None or is_unknown(known):
        return
    for place in known:
        require(
            0 <= place and place < count,
            IndexError,
            f"index {place} is out of range for {count} embeddings",
            rule="index-out-of-bounds",
        )


def one_hot(tensor_, num_classes=-1):
    x = tensor_arg(tensor_)
    if not is_unknown(dtype_of(x)):
        require(dtype_of(x) == "int64", RuntimeError, "one_hot takes int64 indices")
    classes = num_classes
    if is_unknown(classes) or not is_constant(classes) and not proved(classes >= 1):
        classes = fresh("classes")
    elif proved(classes == -1):
        classes = fresh("classes")
    else:
        require(classes >= 1, RuntimeError, f"one_hot needs at least one class, not {classes}")
    if not ranked(x):
        return unranked("int64")
    return tensor(shape_of(x) + (classes,), "int64")


def activation(input, *args, **kwargs):
    """Functions that keep the shape and a floating dtype."""
    return alike(tensor_arg(input), dtype_of(tensor_arg(input)))


def tanhshrink(input):
    x = tensor_arg(input)
    return x - x.tanh()


def real_activation(input, *args, **kwargs):
    x = tensor_arg(input)
    kind = _dtypes.category(dtype_of(x))
    if not is_unknown(kind):
        require(kind >= 2, RuntimeError, f"the activation is not defined for {dtype_of(x)}")
    return alike(x, dtype_of(x))


def probability(p):
    if is_constant(p) and p is not None:
        require(0 <= p and p <= 1, ValueError, f"a dropout probability lies between 0 and 1, and this one is {p}")


def dropout(input, p=0.5, training=True, inplace=False):
    x = tensor_arg(input)
    probability(p)
    return alike(x, dtype_of(x))


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    from .._reductions import softmax as over

    x = tensor_arg(input)
    if dim is None:
        if ranked(x):
            return over(x, 0 if len(shape_of(x)) in (0, 1, 3) else 1, dtype)
        return alike(x, _dtypes.name(dtype, dtype_of(x)))
    if not ranked(x):
        return alike(x, _dtypes.name(dtype, dtype_of(x)))
    return over(x, dim, dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    return softmax(logits, dim)


def glu(input, dim=-1):
    x = tensor_arg(input)
    if not ranked(x) or is_unknown(dim):
        return unranked(dtype_of(x))
    shape = shape_of(x)
    require(len(shape) > 0, RuntimeError, "glu needs at least one dimension")
    place = axis(dim, len(shape))
    require(
        shape[place] % 2 == 0,
        RuntimeError,
        f"glu halves a dimension of even size, and dim {dim} of {shape} has {shape[place]}",
    )
    return tensor(shape[:place] + (shape[place] // 2,) + shape[place + 1 :], dtype_of(x))


def prelu(input, weight):
    x = tensor_arg(input)
    w = tensor_arg(weight, "weight")
    if ranked(w) and ranked(x):
        count = product(shape_of(w))
        if not proved(count == 1):
            require(
                len(shape_of(x)) > 0,
                RuntimeError,
                "prelu with several weights needs at least one dimension",
                rule="layer-mismatch",
            )
            channels = shape_of(x)[1] if len(shape_of(x)) > 1 else 1
            require(
                count == channels or count == 1,
                RuntimeError,
                f"prelu has {count} weights for {channels} channels of an input of shape {shape_of(x)}",
                rule="layer-mismatch",
            )
    return alike(x, dtype_of(x))


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    x = tensor_arg(input)
    if ranked(x) and is_constant(dim):
        if isinstance(dim, int):
            axis(dim, len(shape_of(x)))
    return alike(x, dtype_of(x))


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, *ignored):
    x = tensor_arg(input)
    if is_unknown(normalized_shape):
        return alike(x, dtype_of(x))
    if isinstance(normalized_shape, int):
        raise TypeError("layer_norm takes the normalised shape as a tuple")
    own = tuple(normalized_shape)
    require(len(own) >= 1, RuntimeError, "layer_norm needs at least one normalised dimension", rule="layer-mismatch")
    for parameter in (weight, bias):
        if is_tensor(parameter) and ranked(parameter):
            _ends_with(
                shape_of(parameter), own, f"a weight of layer_norm has shape {own}, not {shape_of(parameter)}", True
            )
    if ranked(x):
        _ends_with(shape_of(x), own, f"layer_norm over {own} does not fit the input of shape {shape_of(x)}", False)
    else:
        known = known_suffix(x)
        for k in range(1, min(len(known), len(own)) + 1):
            require(
                known[-k] == own[-k],
                RuntimeError,
                f"layer_norm over {own} does not fit the input of shape {shown(x)}",
                rule="layer-mismatch",
            )
        if len(own) > len(known):
            return trailing(own, dtype_of(x))
    return alike(x, dtype_of(x))


def _ends_with(shape, own, message, whole):
    require(len(shape) == len(own) if whole else len(shape) >= len(own), RuntimeError, message, rule="layer-mismatch")
    for k in range(1, len(own) + 1):
        require(shape[-k] == own[-k], RuntimeError, message, rule="layer-mismatch")


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    x = tensor_arg(input)
    if ranked(x):
        shape = shape_of(x)
        require(
            len(shape) >= 2,
            IndexError,
            f"group_norm needs at least two dimensions, not shape {shape}",
            rule="layer-mismatch",
        )
        if is_constant(shape) and is_constant(num_groups):
            _group_values(shape, num_groups)
        for parameter in (weight, bias):
            if is_tensor(parameter) and ranked(parameter):
                require(
                    shape_of(parameter)[0] == shape[1],
                    RuntimeError,
                    f"group_norm expects {shape_of(parameter)[0]} channels, and the input has shape {shape}",
                    rule="layer-mismatch",
                )
        if not is_unknown(num_groups):
            require(
                shape[1] % num_groups == 0,
                RuntimeError,
                f"group_norm cannot split {shape[1]} channels into {num_groups} groups",
                rule="layer-mismatch",
            )
    return alike(x, dtype_of(x))


def _group_values(shape, groups):
    """One value in a group has no variance."""
    count = shape[0] * shape[1] // groups
    for size in shape[2:]:
        count = count * size
    require(
        count != 1,
        ValueError,
        f"group_norm needs more than one value in a group, and the input has shape {shape}",
        rule="layer-mismatch",
    )


def several_values(shape):
    """Statistics of a batch need more than one value for each channel."""
    count = shape[0]
    for size in shape[2:]:
        count = count * size
    require(
        count != 1,
        ValueError,
        f"training needs more than one value for each channel, and the input has shape {shape}",
        rule="layer-mismatch",
    )


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    x = tensor_arg(input)
    if not ranked(x):
        return alike(x, dtype_of(x))
    shape = shape_of(x)
    if proved_true(training):
        require(len(shape) > 0, IndexError, "batch_norm needs a batch", rule="layer-mismatch")
        several_values(shape)
    require(
        len(shape) >= 2,
        RuntimeError if len(shape) == 1 and running_mean is not None else IndexError,
        f"batch_norm needs channels, and the input has shape {shape}",
        rule="layer-mismatch",
    )
    if not proved_true(training) and running_mean is None:
        raise RuntimeError("batch_norm needs running statistics when it is not training")
    for parameter in (running_mean, running_var, weight, bias):
        if is_tensor(parameter) and ranked(parameter):
            _channels(shape, shape_of(parameter)[0])
    return tensor(shape, dtype_of(x))


def proved_true(flag):
    return not is_unknown(flag) and is_constant(flag) and bool(flag)


def _channels(shape, features):
    """An input without any element passes whatever its channels are."""
    message = f"batch_norm expects {features} channels, and the input of shape {shape} has {shape[1]}"
    if proved(product(shape) != 0):
        require(shape[1] == features, RuntimeError, message, rule="layer-mismatch")
    else:
        require(shape[1] == features or product(shape) == 0, RuntimeError, message, rule="layer-mismatch")


def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    x = tensor_arg(input)
    if ranked(x) and proved_true(use_input_stats):
        size = product(shape_of(x)[2:])
        require(
            size != 1,
            ValueError,
            f"instance_norm needs more than one value for each channel, and the input has shape {shape_of(x)}",
            rule="layer-mismatch",
        )
    return alike(x, dtype_of(x))


def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    x = tensor_arg(input)
    if ranked(x):
        require(
            len(shape_of(x)) >= 3,
            ValueError,
            f"local_response_norm needs at least three dimensions, not shape {shape_of(x)}",
            rule="layer-mismatch",
        )
    return alike(x, dtype_of(x))


def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    x = tensor_arg(x1)
    y = tensor_arg(x2)
    if not ranked(x) or not ranked(y) or is_unknown(dim):
        return unranked()
    shape = broadcast(shape_of(x), shape_of(y), error=RuntimeError)
    place = axis(dim, len(shape))
    return tensor(shape[:place] + shape[place + 1 :], _dtypes.result(x, y))


def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    x = tensor_arg(x1)
    y = tensor_arg(x2)
    if not ranked(x) or not ranked(y):
        return unranked()
    shape = broadcast(shape_of(x), shape_of(y), error=RuntimeError)
    return tensor(shape[:-1] + ((1,) if keepdim else ()), _dtypes.result(x, y))


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    q = tensor_arg(query, "query")
    k = tensor_arg(key, "key")
    v = tensor_arg(value, "value")
    if not ranked(q) or not ranked(k) or not ranked(v):
        return unranked(dtype_of(q))
    scores = q.matmul(k.transpose(-2, -1))
    return scores.matmul(v)


def dropout_of_torch(input, p, train):
    return dropout(input, p, train)


def batch_norm_of_torch(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return batch_norm(input, running_mean, running_var, weight, bias, training)
