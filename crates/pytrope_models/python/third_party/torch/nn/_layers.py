"""Linear maps, normalisation, activations, embeddings, attention, as functions."""

from _pytrope import (
    broadcast,
    dtype_of,
    fresh,
    is_constant,
    is_unknown,
    learn_last_sizes,
    lifted,
    product,
    proved,
    refuted,
    relate_rank,
    require,
    shape_of,
    share_rank,
    unknown,
)

from .. import _dtypes
from .._elementwise import has_kernel, ordered
from .._make import (
    alike,
    any_tensor,
    asked_arg,
    axis,
    is_tensor,
    known_suffix,
    ranked,
    same_dtype,
    same_rank,
    shown,
    tensor,
    tensor_arg,
    trailing,
    unranked,
    usual_rank,
)
from .._layout import in_row_major
from .._reach import require_rows
from .._versions import IS_NEW, UNSUPPORTED, by_release

# Functions with the parameters of every release of the library, as `conformance/torch/parameters.py` compares them.
_pytrope_exact = (
    "batch_norm",
    "dropout",
    "dropout1d",
    "dropout3d",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "feature_dropout",
    "glu",
    "gumbel_softmax",
    "instance_norm",
    "local_response_norm",
    "normalize",
    "softmax",
    "tanhshrink",
)


@lifted(tensor_arg, "input", "weight")
def linear(input, weight, bias=None):
    known = known_suffix(input)
    if not ranked(weight):
        return unranked(dtype_of(input))
    own = shape_of(weight)
    require(
        1 <= len(own) and len(own) <= 2,
        RuntimeError,
        f"the weight of linear must be a matrix, not shape {own}",
        rule="layer-mismatch",
    )
    if ranked(input):
        require(len(known) >= 1, RuntimeError, "linear needs at least one dimension", rule="layer-mismatch")
    if len(known) >= 1:
        require(
            known[-1] == own[-1],
            RuntimeError,
            f"linear expects {own[-1]} features, but the input of shape {shown(input)} has {known[-1]}",
            rule="layer-mismatch",
        )
    elif not ranked(input):
        learn_last_sizes(input, (own[-1],))
    _same_dtype(input, weight)
    out = (own[0],) if len(own) == 2 else ()
    if not ranked(input):
        made = trailing(known[:-1] + out, dtype_of(weight))
        return share_rank(made, input) if len(own) == 2 else made
    if bias is not None and not is_unknown(bias):
        b = tensor_arg(bias, "bias")
        if ranked(b):
            message = f"the bias of shape {shape_of(b)} does not fit the output {known[:-1] + out}"
            shape = broadcast(known[:-1] + out, shape_of(b), error=RuntimeError)
            require(len(shape) == len(known[:-1] + out), RuntimeError, message, rule="layer-mismatch")
    return in_row_major(tensor(known[:-1] + out, dtype_of(input)))


def _same_dtype(x, w):
    if not is_unknown(dtype_of(x)) and not is_unknown(dtype_of(w)):
        require(
            _dtypes.may_meet(dtype_of(x), dtype_of(w)),
            RuntimeError,
            f"the input is {dtype_of(x)}, but the weight is {dtype_of(w)}",
        )


@lifted(tensor_arg, "input1", "input2", "weight", ranked=True, otherwise=same_dtype)
def bilinear(input1, input2, weight, bias=None):
    a = shape_of(input1)
    b = shape_of(input2)
    own = shape_of(weight)
    require(len(a) == len(b), RuntimeError, f"bilinear of {a} and {b}: the ranks differ", rule="layer-mismatch")
    for k in range(len(a) - 1):
        require(
            a[k] == b[k], RuntimeError, f"bilinear of {a} and {b}: {a[k]} ≠ {b[k]} at dim {k}", rule="layer-mismatch"
        )
    if len(a) == 0 or len(own) != 3:
        if IS_NEW and len(a) == 0:
            require(False, IndexError, "bilinear needs at least one dimension", rule="layer-mismatch")
        return same_dtype(input1)
    _same_dtype(input1, weight)
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
    return tensor(a[:-1] + (own[0],), dtype_of(input1))


@lifted(tensor_arg, "input", "weight")
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if ranked(weight):
        require(
            len(shape_of(weight)) == 2,
            RuntimeError,
            f"the weight of embedding must be a matrix, not shape {shape_of(weight)}",
            rule="layer-mismatch",
        )
        _below(input, shape_of(weight)[0], RuntimeError if proved(shape_of(weight)[1] == 0) else IndexError)
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(
            dtype_of(input) == "int64" or dtype_of(input) == "int32",
            RuntimeError,
            f"embedding takes int64 or int32 indices, not {dtype_of(input)}",
        )
    if not ranked(weight):
        return unranked()
    if not ranked(input):
        made = trailing(known_suffix(input) + (shape_of(weight)[1],), dtype_of(weight))
        return relate_rank(made, input, 1)
    return in_row_major(tensor(shape_of(input) + (shape_of(weight)[1],), dtype_of(weight)))


def _below(x, count, error):
    from _pytrope import values_of

    known = values_of(x)
    if known is None or is_unknown(known):
        require_rows(x, count)
        return
    for place in known:
        require(
            0 <= place and place < count,
            error,
            f"index {place} is out of range for {count} embeddings",
            rule="index-out-of-bounds",
        )


@lifted(tensor_arg, "input", "weight")
def embedding_bag(
    input,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    """One vector for each bag: the rows of a matrix of indices, or what offsets cut out of a vector."""
    if not ranked(input):
        return unranked()
    shape = shape_of(input)
    message = f"embedding_bag takes indices of rank 1 or 2, not shape {shape}"
    require(len(shape) == 1 or len(shape) == 2, ValueError, message, rule="layer-mismatch")
    if len(shape) == 2:
        require(offsets is None, ValueError, "embedding_bag of a matrix takes no offsets", rule="layer-mismatch")
        bags = shape[0]
    else:
        require(offsets is not None, ValueError, "embedding_bag of a vector needs offsets", rule="layer-mismatch")
        given = tensor_arg(offsets, "offsets")
        if not ranked(given) or len(shape_of(given)) != 1 or include_last_offset is not False:
            return unranked()
        bags = shape_of(given)[0]
    if not ranked(weight):
        return unranked()
    own = shape_of(weight)
    if len(own) != 2 and not IS_NEW:
        return unranked()
    require(len(own) == 2, ValueError, f"embeddings are a matrix, not shape {own}", rule="layer-mismatch")
    kind = _dtypes.category(dtype_of(weight))
    if not is_unknown(kind):
        require(
            kind == 2, RuntimeError, f"embedding_bag takes float embeddings, not {dtype_of(weight)}", rule="bad-operand"
        )
    of_indices = _dtypes.category(dtype_of(input))
    if IS_NEW and not is_unknown(of_indices):
        require(of_indices != 3, UNSUPPORTED, "complex numbers cannot be indices", rule="bad-operand")
        require(
            of_indices == 1,
            RuntimeError,
            f"embedding_bag takes int64 or int32, not {dtype_of(input)}",
            rule="bad-operand",
        )
    if per_sample_weights is not None and is_tensor(per_sample_weights) and ranked(per_sample_weights):
        given = shape_of(per_sample_weights)
        message = f"embedding_bag has weights of shape {given} for indices of shape {shape}"
        require(len(given) == len(shape), ValueError, message, rule="layer-mismatch")
        for size, wanted in zip(given, shape):
            require(size == wanted, ValueError, message, rule="layer-mismatch")
    return tensor((bags, own[1]), dtype_of(weight))


@lifted(tensor_arg, "tensor_")
def one_hot(tensor_, num_classes=-1):
    if not is_unknown(dtype_of(tensor_)):
        require(dtype_of(tensor_) == "int64", RuntimeError, "one_hot takes int64 indices")
    classes = num_classes
    if is_unknown(classes) or not is_constant(classes) and not proved(classes >= 1):
        classes = fresh("classes")
    elif proved(classes == -1):
        classes = fresh("classes")
    else:
        require(classes >= 1, RuntimeError, f"one_hot needs at least one class, not {classes}")
    if not ranked(tensor_):
        return unranked("int64")
    return tensor(shape_of(tensor_) + (classes,), "int64")


@lifted(tensor_arg, "input")
def activation(input, *args, **kwargs):
    """Functions that keep the shape and the dtype: numbers alone are compared with bounds."""
    has_kernel(dtype_of(input), (1, 2), "the activation")
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def threshold(input, threshold, value, inplace=False):
    has_kernel(dtype_of(input), (0, 1, 2), "threshold")
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def tanhshrink(input):
    return input - input.tanh()


@lifted(tensor_arg, "input")
def real_activation(input, *args, **kwargs):
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(kind == 2, UNSUPPORTED, f"the activation is not defined for {dtype_of(input)}", rule="bad-operand")
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def silu(input, *args, **kwargs):
    """Complex numbers have it too."""
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(kind >= 2, UNSUPPORTED, f"silu is not defined for {dtype_of(input)}", rule="bad-operand")
    return alike(input, dtype_of(input))


def probability(p):
    if is_constant(p) and p is not None:
        require(0 <= p and p <= 1, ValueError, f"a dropout probability must be between 0 and 1, not {p}")


@lifted(tensor_arg, "input")
def dropout(input, p=0.5, training=True, inplace=False):
    probability(p)
    drops_floats(input, p, training)
    return alike(input, dtype_of(input))


def drops_floats(input, p, training):
    """What is left is scaled, which integers cannot hold; outside of training nothing is done."""
    kind = _dtypes.category(dtype_of(input))
    if is_unknown(kind) or is_unknown(training) or is_unknown(p) or not is_constant(p) or training is not True:
        return
    if 0 < p and p < 1 and not (ranked(input) and [size for size in shape_of(input) if not proved(size > 0)]):
        require(kind >= 2, RuntimeError, f"dropout scales what is left, which {dtype_of(input)} cannot hold")


@lifted(tensor_arg, "input")
def feature_dropout(input, p=0.5, training=True, inplace=False):
    """dropout2d drops channels."""
    least_rank(input, 2, p, training)
    return dropout(input, p, training)


@lifted(tensor_arg, "input")
def dropout3d(input, p=0.5, training=True, inplace=False):
    least_rank(input, 1, p, training)
    return dropout(input, p, training)


def least_rank(input, least, p, training):
    """What is dropped lies along the first dimensions. Without elements there is nothing to drop, whatever the rank."""
    if not (ranked(input) and training is True and is_constant(p) and 0 < p and p < 1):
        return
    if not [size for size in shape_of(input) if not proved(size > 0)]:
        require(len(shape_of(input)) >= least, RuntimeError, f"there are no channels in shape {shape_of(input)}")


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    return dropout(input, p, training)


@lifted(tensor_arg, "input")
def dropout1d(input, p=0.5, training=True, inplace=False):
    if ranked(input):
        require(
            len(shape_of(input)) in (2, 3),
            RuntimeError,
            f"dropout1d takes rank 2 or 3, not shape {shape_of(input)}",
            rule="layer-mismatch",
        )
    return dropout(input, p, training)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    from .._reductions import softmax as over

    x = asked_arg(input)
    if dim is None:
        if ranked(x):
            return over(x, 0 if len(shape_of(x)) in (0, 1, 3) else 1, dtype)
        return alike(x, _dtypes.name(dtype, dtype_of(x)))
    if not ranked(x):
        return alike(x, _dtypes.name(dtype, dtype_of(x)))
    return over(x, dim, dtype)


@lifted(asked_arg, "logits")
def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    kind = _dtypes.category(dtype_of(logits))
    if not is_unknown(kind) and kind != 2:
        require(not IS_NEW, RuntimeError, f"gumbel_softmax adds noise, which {dtype_of(logits)} cannot hold")
        return unknown("noise of another type than float")
    if not is_unknown(tau) and is_tensor(tau):
        return unknown("a temperature that is a tensor, with which the scores are broadcast")
    return softmax(logits, dim)


@lifted(tensor_arg, "input", known=("dim",), ranked=True, otherwise=same_rank)
def glu(input, dim=-1):
    shape = shape_of(input)
    require(len(shape) > 0, RuntimeError, "glu needs at least one dimension")
    place = axis(dim, len(shape))
    require(
        shape[place] % 2 == 0,
        RuntimeError,
        f"glu needs a dimension of even size, but dim {dim} of {shape} has size {shape[place]}",
    )
    has_kernel(dtype_of(input), (2,), "glu")
    return tensor(shape[:place] + (shape[place] // 2,) + shape[place + 1 :], dtype_of(input))


@lifted(tensor_arg, "input", "weight")
def prelu(input, weight):
    if ranked(weight) and ranked(input):
        count = product(shape_of(weight))
        _same_dtype(input, weight)
        if not proved(count == 1):
            require(
                len(shape_of(input)) > 0,
                RuntimeError,
                "prelu with several weights needs at least one dimension",
                rule="layer-mismatch",
            )
            channels = shape_of(input)[1] if len(shape_of(input)) > 1 else 1
            _same_dtype(input, weight)
            require(
                count == channels or count == 1,
                RuntimeError,
                f"prelu has {count} weights for {channels} channels of an input of shape {shape_of(input)}",
                rule="layer-mismatch",
            )
    return alike(input, dtype_of(input))


@lifted(asked_arg, "input")
def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(kind >= 2, UNSUPPORTED, f"a norm is not defined for {dtype_of(input)}", rule="bad-operand")
    if ranked(input) and is_constant(dim):
        if isinstance(dim, int):
            axis(dim, len(shape_of(input)))
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05, *ignored):
    if is_unknown(normalized_shape):
        return alike(input, dtype_of(input))
    if isinstance(normalized_shape, int):
        raise TypeError("layer_norm takes the normalised shape as a tuple")
    own = tuple(normalized_shape)
    require(len(own) >= 1, RuntimeError, "layer_norm needs at least one normalised dimension", rule="layer-mismatch")
    for parameter in (weight, bias):
        if is_tensor(parameter) and ranked(parameter):
            _ends_with(
                shape_of(parameter),
                own,
                f"a weight of layer_norm must have shape {own}, not {shape_of(parameter)}",
                True,
            )
    if ranked(input):
        _ends_with(
            shape_of(input), own, f"layer_norm over {own} does not fit the input of shape {shape_of(input)}", False
        )
        fits_weight(input, weight, "layer_norm")
    else:
        known = known_suffix(input)
        for k in range(1, min(len(known), len(own)) + 1):
            require(
                known[-k] == own[-k],
                RuntimeError,
                f"layer_norm over {own} does not fit the input of shape {shown(input)}",
                rule="layer-mismatch",
            )
        if len(own) > len(known):
            learn_last_sizes(input, own)
            return share_rank(trailing(own, dtype_of(input)), input)
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def rms_norm(input, normalized_shape, weight=None, eps=None):
    if not is_unknown(normalized_shape) and not isinstance(normalized_shape, int) and ranked(input):
        own = tuple(normalized_shape)
        require(
            len(shape_of(input)) >= len(own),
            ValueError,
            f"rms_norm over {own} does not fit the input of shape {shape_of(input)}",
            rule="layer-mismatch",
        )
    dtype = dtype_of(input)
    if is_tensor(weight) and not is_unknown(dtype) and dtype != dtype_of(weight):
        dtype = unknown("the input and the weight have different types")
    shaped = layer_norm(tensor(shape_of(input), None) if ranked(input) else input, normalized_shape, weight)
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(kind >= 2, UNSUPPORTED, f"rms_norm is not defined for {dtype_of(input)}", rule="bad-operand")
    return alike(shaped, dtype)


def fits_weight(input, weight, name):
    """Normalisation in float32 takes halves as well, and neither float64 nor integers."""
    given = dtype_of(input)
    kind = _dtypes.category(given)
    if is_unknown(kind):
        return
    if not is_tensor(weight):
        require(kind == 2, UNSUPPORTED, f"{name} is not defined for {given}", rule="bad-operand")
    elif not is_unknown(dtype_of(weight)):
        require(
            kind == 2 and _dtypes.may_meet(given, dtype_of(weight)),
            RuntimeError,
            f"{name} has {dtype_of(weight)} weights, but the input is {given}",
            rule="layer-mismatch",
        )


def _ends_with(shape, own, message, whole):
    require(len(shape) == len(own) if whole else len(shape) >= len(own), RuntimeError, message, rule="layer-mismatch")
    for k in range(1, len(own) + 1):
        require(shape[-k] == own[-k], RuntimeError, message, rule="layer-mismatch")


@lifted(tensor_arg, "input")
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    if ranked(input):
        shape = shape_of(input)
        require(
            len(shape) >= 2,
            by_release(IndexError, RuntimeError),
            f"group_norm needs at least two dimensions, not shape {shape}",
            rule="layer-mismatch",
        )
        if is_constant(shape) and is_constant(num_groups) and num_groups > 0:
            _group_values(shape, num_groups)
        for parameter in (weight, bias):
            if is_tensor(parameter) and ranked(parameter):
                require(
                    shape_of(parameter)[0] == shape[1],
                    RuntimeError,
                    f"group_norm expects {shape_of(parameter)[0]} channels, but the input has shape {shape}",
                    rule="layer-mismatch",
                )
        fits_weight(input, weight, "group_norm")
        if not is_unknown(num_groups) and not refuted(num_groups > 0):
            require(
                shape[1] % num_groups == 0,
                RuntimeError,
                f"group_norm cannot split {shape[1]} channels into {num_groups} groups",
                rule="layer-mismatch",
            )
    return alike(input, dtype_of(input))


def _group_values(shape, groups):
    """One value in a group has no variance."""
    count = shape[0] * shape[1] // groups
    for size in shape[2:]:
        count = count * size
    require(
        count != 1,
        ValueError,
        f"group_norm needs more than one value in a group, but the input has shape {shape}",
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
        f"training needs more than one value for each channel, but the input has shape {shape}",
        rule="layer-mismatch",
    )


@lifted(tensor_arg, "input")
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    if not ranked(input):
        return alike(input, dtype_of(input))
    shape = shape_of(input)
    if proved_true(training):
        require(len(shape) > 0, IndexError, "batch_norm needs a batch", rule="layer-mismatch")
        several_values(shape)
    require(
        len(shape) >= 2,
        RuntimeError if running_mean is not None else IndexError,
        f"batch_norm needs channels, but the input has shape {shape}",
        rule="layer-mismatch",
    )
    if not proved_true(training) and running_mean is None:
        raise RuntimeError("batch_norm needs running statistics when it is not training")
    for parameter in (running_mean, running_var, weight, bias):
        if is_tensor(parameter) and ranked(parameter):
            _channels(shape, shape_of(parameter)[0])
    kind = _dtypes.category(dtype_of(input))
    if not is_unknown(kind):
        require(kind == 2, UNSUPPORTED, f"batch_norm is not defined for {dtype_of(input)}", rule="bad-operand")
    fits_weight(input, weight if is_tensor(weight) else running_mean, "batch_norm")
    return tensor(shape, dtype_of(input))


def proved_true(flag):
    return not is_unknown(flag) and is_constant(flag) and bool(flag)


def _channels(shape, features):
    """An input without any element passes whatever its channels are."""
    message = f"batch_norm expects {features} channels, but the input of shape {shape} has {shape[1]}"
    if proved(product(shape) != 0):
        require(shape[1] == features, RuntimeError, message, rule="layer-mismatch")
    else:
        require(shape[1] == features or product(shape) == 0, RuntimeError, message, rule="layer-mismatch")


@lifted(tensor_arg, "input")
def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    if ranked(input) and proved_true(use_input_stats):
        size = product(shape_of(input)[2:])
        require(
            size != 1,
            ValueError,
            f"instance_norm needs more than one value for each channel, but the input has shape {shape_of(input)}",
            rule="layer-mismatch",
        )
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0):
    if ranked(input):
        require(
            len(shape_of(input)) >= 3,
            ValueError,
            f"local_response_norm needs at least three dimensions, not shape {shape_of(input)}",
            rule="layer-mismatch",
        )
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "x1", "x2", known=("dim",), ranked=True, otherwise=any_tensor)
def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    shape = broadcast(shape_of(x1), shape_of(x2), error=RuntimeError)
    kind = _dtypes.category(_dtypes.result(x1, x2))
    if not is_unknown(kind):
        require(
            kind == 2,
            RuntimeError,
            f"cosine_similarity needs floating-point elements, not {dtype_of(x1)} and {dtype_of(x2)}",
            rule="bad-operand",
        )
    place = axis(dim, len(shape))
    return tensor(shape[:place] + shape[place + 1 :], _dtypes.result(x1, x2))


@lifted(tensor_arg, "x1", "x2", ranked=True, otherwise=any_tensor)
def pairwise_distance(x1, x2, p=2.0, eps=1e-06, keepdim=False):
    shape = broadcast(shape_of(x1), shape_of(x2), error=RuntimeError)
    for x in (x1, x2):
        ordered(x, "pairwise_distance subtracts, which", (1, 2, 3))
    dtype = _dtypes.floating(_dtypes.magnitude(_dtypes.result(x1, x2)))
    return tensor(shape[:-1] + ((1,) if keepdim else ()), dtype)


@lifted(tensor_arg, "query", "key", "value", ranked=True, otherwise=usual_rank)
def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if enable_gqa is not False:
        # Heads of the query share those of the key.
        return usual_rank(query)
    for x in (query, key, value):
        if ranked(x) and len(shape_of(x)) > 0 and not refuted(shape_of(x)[-1] == 0):
            if is_constant(shape_of(x)[-1]):
                # Without features there is nothing to compare, and PyTorch does not.
                return usual_rank(query)
    if not is_unknown(attn_mask) and is_tensor(attn_mask):
        if not is_unknown(dtype_of(attn_mask)) and not is_unknown(dtype_of(query)):
            require(
                dtype_of(attn_mask) == "bool" or _dtypes.category(dtype_of(attn_mask)) == 2,
                RuntimeError,
                f"the mask of an attention holds bools or floats, not {dtype_of(attn_mask)}",
                rule="bad-operand",
            )
        if ranked(attn_mask) and len(shape_of(attn_mask)) < 2:
            if IS_NEW and ranked(query) and ranked(key) and ranked(value):
                _mask_without_rows(shape_of(query), shape_of(key), shape_of(value))
            return usual_rank(query)
    if is_constant(is_causal) and is_causal is True and is_tensor(attn_mask):
        raise RuntimeError("an attention takes a mask or is_causal, not both")
    scores = query.matmul(key.transpose(-2, -1))
    if not is_unknown(attn_mask) and is_tensor(attn_mask) and ranked(attn_mask) and ranked(scores):
        broadcast(shape_of(scores), shape_of(attn_mask), error=RuntimeError)
    # A kernel for the CPU does not compare the lengths of keys and values; it is for batches of heads alone.
    if attn_mask is None and ranked(scores) and ranked(value) and len(shape_of(value)) == 4:
        if len(shape_of(scores)) == 4 and not proved(shape_of(scores)[-1] == shape_of(value)[-2]):
            if (
                not ranked(query)
                or len(shape_of(query)) == 4
                and not refuted(shape_of(query)[:2] == shape_of(value)[:2])
            ):
                return same_dtype(query)
    return scores.matmul(value)


def _mask_without_rows(query, key, value):
    """A fused kernel takes a mask by its rows, which a vector has not."""
    is_batch = len(query) == 4 and len(key) == 4 and len(value) == 4
    if is_batch and proved(query[0] == key[0]) and proved(query[1] == key[1]) and proved(key[0] == value[0]):
        require(False, IndexError, "the mask of an attention over batches of heads has at least two dimensions")


def dropout_of_torch(input, p, train):
    return dropout(input, p, train)


def embedding_of_torch(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return embedding(indices, weight)


def instance_norm_of_torch(
    input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled
):
    return unknown("torch.instance_norm")


def batch_norm_of_torch(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return batch_norm(input, running_mean, running_var, weight, bias, training)
