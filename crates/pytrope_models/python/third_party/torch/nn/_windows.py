"""Sliding windows: convolutions, pooling, resizing, folding, as functions."""

from _pytrope import (
    assume_rank,
    dtype_of,
    fresh,
    is_array,
    is_assuming,
    is_constant,
    is_unknown,
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
from .._make import (
    asked_arg,
    known_suffix,
    ranked,
    require_rank,
    same_dtype,
    same_rank,
    shown,
    tensor,
    tensor_arg,
    trailing,
    unranked,
)
from .._elementwise import ordered
from .._origin import tracked
from .._versions import IS_OLD, IS_NEW, by_release

# Functions with the parameters of every release of the library, as `conformance/torch/parameters.py` compares them.
_pytrope_exact = (
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "affine_grid",
    "fold",
    "grid_sample",
    "interpolate",
    "lp_pool1d",
    "lp_pool2d",
    "unfold",
)


def ntuple(value, count, name="argument"):
    """An argument that is one number for all dimensions or one for each."""
    if is_unknown(value):
        return [unknown(name)] * count
    if isinstance(value, (tuple, list)):
        if len(value) == 1 and count > 1:
            return [value[0]] * count
        if len(value) != count:
            raise RuntimeError(f"{name} has {len(value)} numbers for {count} dimensions")
        return list(value)
    return [value] * count


def batched(x, dims, name, error=RuntimeError):
    """The batch sizes, then channel and window sizes, of an input with or without a batch; None for the unknown."""
    if ranked(x):
        shape = shape_of(x)
        require(
            len(shape) == dims + 1 or len(shape) == dims + 2,
            error,
            f"{name} takes rank {dims + 2}, or {dims + 1} without a batch, but this tensor has shape {shape}",
            rule="layer-mismatch",
        )
        return shape[: len(shape) - dims - 1], shape[-dims - 1], shape[len(shape) - dims :]
    # Without a batch is the exception.
    assume_rank(x, dims + 2)
    if ranked(x):
        return batched(x, dims, name, error)
    known = known_suffix(x)
    spatial = known[len(known) - dims :] if len(known) >= dims else tuple([fresh("size") for _ in range(dims)])
    channel = known[-dims - 1] if len(known) > dims else unknown("the channels are not known")
    return None, channel, spatial


def assembled(x, batch, rest, dtype):
    return share_rank(trailing(rest, dtype), x) if batch is None else tensor(batch + rest, dtype)


def window(size, kernel, stride, padding, dilation):
    """How many places a window has along one dimension."""
    if is_unknown(kernel) or is_unknown(stride) or is_unknown(padding) or is_unknown(dilation):
        return fresh("size")
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def positive(values, name):
    for value in values:
        if not is_unknown(value):
            require(value > 0, RuntimeError, f"{name} must be positive, not {value}")


def convolution(input, weight, bias, stride, padding, dilation, groups, dims):
    name = f"conv{dims}d"
    x = tensor_arg(input)
    w = tensor_arg(weight, "weight")
    require_rank(w, dims + 2)
    if not ranked(w):
        return unranked(dtype_of(x))
    kernel_shape = shape_of(w)
    require(
        len(kernel_shape) == dims + 2,
        RuntimeError,
        f"the weight of {name} must have rank {dims + 2}, not shape {kernel_shape}",
        rule="layer-mismatch",
    )
    batch, channel, spatial = batched(x, dims, name)
    _same_dtype(x, w)
    if not is_unknown(channel) and not is_unknown(groups):
        require(
            channel == kernel_shape[1] * groups,
            RuntimeError,
            f"{name} expects {kernel_shape[1] * groups} channels, but the input of shape {shown(x)} has {channel}",
            rule="layer-mismatch",
        )
    if is_constant(groups) and is_constant(kernel_shape[0]):
        require(
            groups > 0 and kernel_shape[0] % groups == 0,
            RuntimeError,
            f"{kernel_shape[0]} output channels cannot be split into {groups} groups",
            rule="layer-mismatch",
        )
    _bias_fits(bias, kernel_shape[0], name)
    strides = ntuple(stride, dims, "stride")
    dilations = ntuple(dilation, dims, "dilation")
    positive(strides, "stride")
    sizes = []
    _no_empty_image(x, batch, spatial, name)
    if isinstance(padding, str) and padding == "same":
        for step in strides:
            require(step == 1, RuntimeError, "padding='same' needs stride 1")
    for k in range(dims):
        kernel = kernel_shape[2 + k]
        if isinstance(padding, str) and padding == "same":
            sizes.append(spatial[k])
            continue
        pad = 0 if isinstance(padding, str) else ntuple(padding, dims, "padding")[k]
        if not is_unknown(pad) and not is_unknown(dilations[k]):
            require(
                spatial[k] + 2 * pad >= dilations[k] * (kernel - 1) + 1,
                RuntimeError,
                f"the {name} kernel of size {kernel_shape[2:]} is larger than the padded input of shape {shown(x)}",
                rule="layer-mismatch",
            )
        sizes.append(window(spatial[k], kernel, strides[k], pad, dilations[k]))
    made = assembled(x, batch, (kernel_shape[0],) + tuple(sizes), dtype_of(x))
    return tracked(made, "convolution", x, weight)


def _no_empty_image(x, batch, spatial, name):
    """Only the batch or the channels may be empty."""
    empty_batch = batch is not None and len(batch) > 0 and not proved(batch[0] != 0)
    for size in spatial:
        if empty_batch:
            require(
                size != 0 or batch[0] == 0,
                RuntimeError,
                f"{name} of an input of shape {shown(x)}: only the batch may be empty",
                rule="layer-mismatch",
            )
        else:
            require(
                size != 0,
                RuntimeError,
                f"{name} of an input of shape {shown(x)}: only the batch may be empty",
                rule="layer-mismatch",
            )


def _same_dtype(x, w):
    if not is_unknown(dtype_of(x)) and not is_unknown(dtype_of(w)):
        require(
            dtype_of(x) == dtype_of(w), RuntimeError, f"the input is {dtype_of(x)}, but the weight is {dtype_of(w)}"
        )


def _bias_fits(bias, channels, name):
    if bias is None or is_unknown(bias):
        return
    b = tensor_arg(bias, "bias")
    if ranked(b):
        require(
            len(shape_of(b)) == 1 and shape_of(b)[0] == channels,
            RuntimeError,
            f"the bias of {name} must have shape ({channels},), not {shape_of(b)}",
            rule="layer-mismatch",
        )


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(input, weight, bias, stride, padding, dilation, groups, 1)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(input, weight, bias, stride, padding, dilation, groups, 2)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(input, weight, bias, stride, padding, dilation, groups, 3)


def transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, dims):
    name = f"conv_transpose{dims}d"
    x = tensor_arg(input)
    w = tensor_arg(weight, "weight")
    if not ranked(w):
        return unranked(dtype_of(x))
    kernel_shape = shape_of(w)
    require(
        len(kernel_shape) == dims + 2,
        RuntimeError,
        f"the weight of {name} must have rank {dims + 2}, not shape {kernel_shape}",
        rule="layer-mismatch",
    )
    batch, channel, spatial = batched(x, dims, name)
    _same_dtype(x, w)
    if not is_unknown(channel):
        require(
            channel == kernel_shape[0],
            RuntimeError,
            f"{name} expects {kernel_shape[0]} channels, but the input of shape {shown(x)} has {channel}",
            rule="layer-mismatch",
        )
    _bias_fits(bias, kernel_shape[1] * groups, name)
    _no_empty_image(x, batch, spatial, name)
    maybe_empty = batch is not None and len(batch) > 0 and not proved(batch[0] != 0)
    strides = ntuple(stride, dims, "stride")
    pads = ntuple(padding, dims, "padding")
    extra = ntuple(output_padding, dims, "output_padding")
    dilations = ntuple(dilation, dims, "dilation")
    sizes = []
    for k in range(dims):
        parts = [strides[k], pads[k], extra[k], dilations[k]]
        if is_unknown(parts[0]) or is_unknown(parts[1]) or is_unknown(parts[2]) or is_unknown(parts[3]):
            sizes.append(fresh("size"))
            continue
        if not maybe_empty:
            require(
                extra[k] < strides[k] or extra[k] < dilations[k],
                RuntimeError,
                "output_padding must be smaller than stride or dilation",
            )
        size = (spatial[k] - 1) * strides[k] - 2 * pads[k] + dilations[k] * (kernel_shape[2 + k] - 1) + extra[k] + 1
        require(
            size >= (0 if maybe_empty else 1),
            RuntimeError,
            f"the output of {name} would have size {size}, which is too small",
            rule="layer-mismatch",
        )
        sizes.append(size)
    return assembled(x, batch, (kernel_shape[1] * groups,) + tuple(sizes), dtype_of(x))


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 1)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 2)


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 3)


def pooled_size(size, kernel, stride, padding, dilation, ceil_mode):
    """One dimension of a pooling: with ceil_mode the last window may hang over, but starts inside."""
    reach = size + 2 * padding - dilation * (kernel - 1) - 1
    if is_unknown(ceil_mode):
        return fresh("size")
    if not ceil_mode:
        return reach // stride + 1
    out = (reach + stride - 1) // stride + 1
    inside = (out - 1) * stride < size + padding
    if proved(inside):
        return out
    if is_constant(out):
        return out - 1
    return fresh("size")


def _pool_error(x, name):
    return IndexError if name == "avg_pool2d" and ranked(x) and len(shape_of(x)) < 3 else RuntimeError


@lifted(tensor_arg, "input")
def pooling(input, kernel_size, stride, padding, dilation, ceil_mode, dims, name, empty_batch):
    batch, channel, spatial = batched(input, dims, name, _pool_error(input, name))
    kernels = ntuple(kernel_size, dims, "kernel_size")
    strides = (
        kernels
        if stride is None or isinstance(stride, (tuple, list)) and len(stride) == 0
        else ntuple(stride, dims, "stride")
    )
    pads = ntuple(padding, dims, "padding")
    dilations = ntuple(dilation, dims, "dilation")
    positive(kernels, "kernel_size")
    positive(strides, "stride")
    if is_unknown(channel):
        channel = fresh("channels")
    if not is_constant(kernels) or not is_constant(strides) or not is_constant(pads) or not is_constant(dilations):
        return assembled(input, batch, (channel,) + tuple([fresh("size") for _ in range(dims)]), dtype_of(input))
    _not_empty(input, batch, channel, spatial, name, empty_batch)
    sizes = []
    for k in range(dims):
        require(
            2 * pads[k] <= kernels[k], RuntimeError, f"padding {pads[k]} is more than half of kernel_size {kernels[k]}"
        )
        size = pooled_size(spatial[k], kernels[k], strides[k], pads[k], dilations[k], ceil_mode)
        if name == "max_pool1d" and not IS_NEW:
            size = _at_least_none(size)
        else:
            require(
                size >= 1,
                RuntimeError,
                f"the output of {name} is too small for the input of shape {shown(input)}",
                rule="layer-mismatch",
            )
        sizes.append(size)
    if name == "avg_pool1d" and IS_NEW and dtype_of(input) != "int64":
        ordered(input, name, (2,))
    return assembled(input, batch, (channel,) + tuple(sizes), dtype_of(input))


def _at_least_none(size):
    """max_pool1d gives an empty result where the others raise."""
    if proved(size >= 0):
        return size
    return 0 if proved(size <= 0) else fresh("size")


def _not_empty(x, batch, channel, spatial, name, empty_batch):
    """Only the batch may be empty."""
    for size in (channel,) + tuple(spatial):
        require(
            size != 0,
            RuntimeError,
            f"{name} needs sizes that are not 0 apart from the batch, but the input has shape {shown(x)}",
            rule="layer-mismatch",
        )
    if batch is not None and not empty_batch:
        for size in batch:
            require(
                size != 0,
                RuntimeError,
                f"{name} needs a batch that is not empty, but the input has shape {shown(x)}",
                rule="layer-mismatch",
            )


def max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, dims):
    result = pooling(input, kernel_size, stride, padding, dilation, ceil_mode, dims, f"max_pool{dims}d", True)
    if is_unknown(return_indices):
        return unknown("whether indices are returned is not known")
    if IS_NEW:
        # Places of maxima are found of integers too.
        ordered(result, f"max_pool{dims}d", (2,) if dims == 1 and not return_indices else (1, 2))
    if return_indices:
        from .._make import alike

        return (result, alike(result, "int64"))
    return result


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, 1)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, 2)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    return max_pool(input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, 3)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    return pooling(input, kernel_size, stride, padding, 1, ceil_mode, 1, "avg_pool1d", True)


def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    return pooling(input, kernel_size, stride, padding, 1, ceil_mode, 2, "avg_pool2d", True)


def avg_pool3d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    return pooling(input, kernel_size, stride, padding, 1, ceil_mode, 3, "avg_pool3d", True)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    if is_array(norm_type):
        return unranked()
    return avg_pool2d(input, kernel_size, stride, 0, ceil_mode)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    if is_array(norm_type):
        return unranked()
    pooled = avg_pool1d(input, kernel_size, stride, 0, ceil_mode)
    return tensor(shape_of(pooled), _dtypes.floating(dtype_of(pooled))) if ranked(pooled) else unranked()


def _mean_over(x, output_size, dims):
    shape = shape_of(x)
    if isinstance(output_size, (tuple, list)):
        require(
            len(shape) > dims,
            ValueError,
            f"adaptive pooling needs at least rank {dims + 1}, but this tensor has shape {shape}",
            rule="layer-mismatch",
        )
    if len(shape) < dims and not is_unknown(dtype_of(x)) and _dtypes.category(dtype_of(x)) < 2:
        return unranked()
    require(
        len(shape) >= dims,
        IndexError,
        f"adaptive pooling needs at least rank {dims}, but this tensor has shape {shape}",
        rule="layer-mismatch",
    )
    return tensor(shape[: len(shape) - dims] + (1,) * dims, dtype_of(x))


def _adaptive_error(x, output_size, dims):
    """Sizes given one by one are checked before the call."""
    if ranked(x) and isinstance(output_size, (tuple, list)) and dims > 1 and len(shape_of(x)) <= len(output_size):
        return ValueError
    return RuntimeError


@lifted(tensor_arg, "input")
def adaptive(input, output_size, dims, name, averages=True):
    if (
        dims > 1
        and isinstance(output_size, (tuple, list))
        and is_constant(len(output_size))
        and len(output_size) != dims
    ):
        if IS_NEW and ranked(input) and is_constant(len(output_size)):
            wrong = ValueError if len(shape_of(input)) <= len(output_size) else RuntimeError
            require(False, wrong, f"{len(output_size)} sizes for {name}, which has {dims}", rule="layer-mismatch")
        # The class of the error depends on the rank and on the release.
        return same_dtype(tensor_arg(input))
    if dims > 1 and ranked(input) and is_constant(output_size) and averages:
        # A target of 1 is computed as a mean over the last dimensions, whatever the rank.
        whole = ntuple(output_size, dims, "output_size") == [1] * dims
        if whole and dims == 2 and len(shape_of(input)) != 3 and len(shape_of(input)) != 4:
            return _mean_over(input, output_size, dims)
        if (
            whole
            and dims == 3
            and not isinstance(output_size, (tuple, list))
            and len(shape_of(input)) >= 3
            and len(shape_of(input)) < 4
        ):
            return _mean_over(input, output_size, dims)
    if dims == 1 and is_constant(output_size):
        require(
            ntuple(output_size, 1, "output_size")[0] is not None, TypeError, "adaptive pooling in 1d needs a number"
        )
    batch, channel, spatial = batched(input, dims, name, _adaptive_error(input, output_size, dims))
    if is_unknown(channel):
        channel = fresh("channels")
    targets = ntuple(output_size, dims, "output_size")
    if ranked(input) and (not averages or dims > 2 or targets != [1] * dims):
        for size in spatial:
            require(
                size != 0,
                RuntimeError,
                f"{name} needs sizes that are not 0, but the input has shape {shown(input)}",
                rule="layer-mismatch",
            )
    sizes = []
    for k in range(dims):
        if is_unknown(targets[k]):
            sizes.append(fresh("size"))
        else:
            sizes.append(spatial[k] if targets[k] is None else targets[k])
    return assembled(input, batch, (channel,) + tuple(sizes), dtype_of(input))


def adaptive_avg_pool1d(input, output_size):
    return adaptive(input, output_size, 1, "adaptive_avg_pool1d")


@lifted(asked_arg, "input")
def adaptive_avg_pool2d(input, output_size):
    return adaptive(input, output_size, 2, "adaptive_avg_pool2d")


@lifted(asked_arg, "input")
def adaptive_avg_pool3d(input, output_size):
    return adaptive(input, output_size, 3, "adaptive_avg_pool3d")


def adaptive_max_pool1d(input, output_size, return_indices=False):
    if return_indices is not False:
        return unknown("the maxima and where they are")
    made = adaptive(input, output_size, 1, "adaptive_max_pool1d", False)
    if IS_NEW:
        ordered(made, "adaptive_max_pool1d", (2,))
    return made


def adaptive_max_pool1d_of_torch(input, output_size):
    """The maxima and their places."""
    made = adaptive_max_pool1d(input, output_size)
    return (made, made.long())


def adaptive_max_pool2d(input, output_size, return_indices=False):
    if return_indices is not False:
        return unknown("the maxima and where they are")
    return adaptive(input, output_size, 2, "adaptive_max_pool2d", False)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    if return_indices is not False:
        return unknown("the maxima and where they are")
    return adaptive(input, output_size, 3, "adaptive_max_pool3d", False)


@lifted(tensor_arg, "input")
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    assume_rank(input, 4)
    if not ranked(input):
        return relate_rank(unranked(dtype_of(input)), input, -1)
    shape = shape_of(input)
    require(
        len(shape) == 3 or len(shape) == 4,
        IndexError if len(shape) < 3 else RuntimeError,
        f"unfold takes rank 4, or 3 without a batch, but this tensor has shape {shape}",
        rule="layer-mismatch",
    )
    kernels = ntuple(kernel_size, 2)
    strides = ntuple(stride, 2)
    pads = ntuple(padding, 2)
    dilations = ntuple(dilation, 2)
    blocks = 1
    for k in range(2):
        count = window(shape[len(shape) - 2 + k], kernels[k], strides[k], pads[k], dilations[k])
        require(
            count >= 1,
            RuntimeError,
            f"unfold: the kernel {kernel_size} is larger than the padded input of shape {shape}",
            rule="layer-mismatch",
        )
        blocks = blocks * count
    return tensor(shape[:-3] + (shape[-3] * kernels[0] * kernels[1], blocks), dtype_of(input))


@lifted(tensor_arg, "input")
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    assume_rank(input, 3)
    if not ranked(input):
        return relate_rank(unranked(dtype_of(input)), input, 1)
    shape = shape_of(input)
    require(
        len(shape) == 2 or len(shape) == 3,
        RuntimeError,
        f"fold takes rank 3, or 2 without a batch, but this tensor has shape {shape}",
        rule="layer-mismatch",
    )
    target = ntuple(output_size, 2)
    kernels = ntuple(kernel_size, 2)
    strides = ntuple(stride, 2)
    pads = ntuple(padding, 2)
    dilations = ntuple(dilation, 2)
    blocks = 1
    for k in range(2):
        blocks = blocks * window(target[k], kernels[k], strides[k], pads[k], dilations[k])
    area = kernels[0] * kernels[1]
    require(
        shape[-2] % area == 0,
        RuntimeError,
        f"fold needs a multiple of {area} at dim -2 of {shape}",
        rule="layer-mismatch",
    )
    require(
        shape[-1] == blocks,
        RuntimeError,
        f"fold needs {blocks} blocks, but the input of shape {shape} has {shape[-1]}",
        rule="layer-mismatch",
    )
    return tensor(shape[:-2] + (shape[-2] // area, target[0], target[1]), dtype_of(input))


RANKS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}


@lifted(asked_arg, "input")
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    if is_constant(mode) and mode in RANKS:
        require_rank(input, RANKS[mode])
    else:
        assume_rank(input, 4)
    if not ranked(input) or not is_constant(mode) and not is_assuming():
        return same_rank(input)
    shape = shape_of(input)
    dims = len(shape) - 2
    if is_unknown(size) or is_unknown(scale_factor):
        return tensor(shape[:2] + tuple([fresh("size") for _ in range(dims)]), dtype_of(input))
    require(size is None or scale_factor is None, ValueError, "interpolate takes size or scale_factor, not both")
    require(size is not None or scale_factor is not None, ValueError, "interpolate needs size or scale_factor")
    if is_constant(align_corners) and align_corners is not None and mode in ("nearest", "area", "nearest-exact"):
        raise ValueError(f"align_corners goes with modes that interpolate, not with {mode!r}")
    if is_constant(size) and isinstance(size, float):
        if IS_NEW and 1 <= dims and dims <= 3:
            raise TypeError("interpolate takes sizes that are integers")
        return same_dtype(input)
    given_many = size if isinstance(size, (tuple, list)) else scale_factor
    if isinstance(given_many, (tuple, list)):
        require(
            len(given_many) == dims,
            ValueError,
            f"interpolate got {len(given_many)} sizes for {dims} dimensions of an input of shape {shape}",
        )
    require(
        dims >= 1 and dims <= 3,
        NotImplementedError,
        f"interpolate takes ranks 3 to 5, but this tensor has shape {shape}",
        rule="layer-mismatch",
    )
    if is_constant(mode) and mode in RANKS:
        require(
            len(shape) == RANKS[mode],
            NotImplementedError,
            f"mode {mode!r} takes rank {RANKS[mode]}, but this tensor has shape {shape}",
            rule="layer-mismatch",
        )
    sizes = []
    for k in range(dims):
        if size is not None:
            target = size[k] if isinstance(size, (tuple, list)) else size
        else:
            target = _scaled(shape[2 + k], scale_factor[k] if isinstance(scale_factor, (tuple, list)) else scale_factor)
        if is_unknown(target):
            target = fresh("size")
        for own in shape[1:]:
            require(
                own >= 1, RuntimeError, f"interpolate needs samples that are not empty, but the input has shape {shape}"
            )
        require(
            target >= 1 and shape[2 + k] >= 1,
            RuntimeError,
            f"interpolate of an input of shape {shape} would give size {target}, which is not positive",
        )
        sizes.append(target)
    return tensor(shape[:2] + tuple(sizes), dtype_of(input))


def _scaled(size, factor):
    if isinstance(factor, int):
        return size * factor
    if isinstance(factor, float) and is_constant(factor):
        if factor == int(factor):
            return size * int(factor)
        if is_constant(size):
            return int(size * factor)
        if factor > 0 and 1 / factor == int(1 / factor):
            return size // int(1 / factor)
    return unknown("the size after scaling")


@lifted(tensor_arg, "input", known=("upscale_factor",), ranked=True, otherwise=same_rank)
def pixel_shuffle(input, upscale_factor):
    shape = shape_of(input)
    r = upscale_factor
    require(r > 0, RuntimeError, f"pixel_shuffle needs a positive factor, not {r}", rule="layer-mismatch")
    if refuted(r > 0):
        return same_dtype(input)
    require(
        len(shape) >= 3,
        RuntimeError,
        f"pixel_shuffle needs at least three dimensions, not shape {shape}",
        rule="layer-mismatch",
    )
    require(
        shape[-3] % (r * r) == 0,
        RuntimeError,
        f"pixel_shuffle by {r} needs channels divisible by {r * r}, not shape {shape}",
        rule="layer-mismatch",
    )
    return tensor(shape[:-3] + (shape[-3] // (r * r), shape[-2] * r, shape[-1] * r), dtype_of(input))


@lifted(tensor_arg, "input", known=("downscale_factor",), ranked=True, otherwise=same_rank)
def pixel_unshuffle(input, downscale_factor):
    shape = shape_of(input)
    r = downscale_factor
    require(r > 0, RuntimeError, f"pixel_unshuffle needs a positive factor, not {r}", rule="layer-mismatch")
    if refuted(r > 0) or not proved(product(shape) != 0):
        return same_dtype(input)
    require(
        len(shape) >= 3,
        RuntimeError,
        f"pixel_unshuffle needs at least three dimensions, not shape {shape}",
        rule="layer-mismatch",
    )
    require(
        shape[-1] % r == 0 and shape[-2] % r == 0,
        RuntimeError,
        f"pixel_unshuffle by {r} needs sizes divisible by it, not shape {shape}",
        rule="layer-mismatch",
    )
    return tensor(shape[:-3] + (shape[-3] * r * r, shape[-2] // r, shape[-1] // r), dtype_of(input))


@lifted(tensor_arg, "input")
def channel_shuffle(input, groups):
    if ranked(input):
        shape = shape_of(input)
        require(
            len(shape) >= 3,
            RuntimeError,
            f"channel_shuffle needs at least three dimensions, not shape {shape}",
            rule="layer-mismatch",
        )
        require(
            shape[1] % groups == 0,
            RuntimeError,
            f"channel_shuffle needs channels divisible by {groups}, not shape {shape}",
            rule="layer-mismatch",
        )
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input", "grid", ranked=True, otherwise=same_rank)
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    a = shape_of(input)
    b = shape_of(grid)
    message = f"grid_sample of shape {a} with a grid of shape {b}"
    require(len(a) == 4 or len(a) == 5, RuntimeError, message, rule="layer-mismatch")
    require(len(a) == len(b) and a[0] == b[0] and b[-1] == len(a) - 2, RuntimeError, message, rule="layer-mismatch")
    return tensor(a[:2] + b[1:-1], dtype_of(input))


def affine_grid(theta, size, align_corners=None):
    if not is_constant(len(size)):
        return unranked()
    t = tensor_arg(theta, "theta")
    dims = len(size) - 2
    kind = _dtypes.category(dtype_of(t))
    if not is_unknown(kind):
        require(kind == 2, ValueError, f"affine_grid takes floats, not {dtype_of(t)}", rule="bad-operand")
    require(
        dims in (2, 3),
        NotImplementedError,
        f"affine_grid takes 2 or 3 spatial dimensions, not {dims}",
        rule="layer-mismatch",
    )
    if ranked(t):
        require(
            len(shape_of(t)) == 3,
            ValueError,
            f"affine_grid takes a batch of matrices, not shape {shape_of(t)}",
            rule="layer-mismatch",
        )
        require(
            shape_of(t)[1] == dims and shape_of(t)[2] == dims + 1,
            ValueError,
            f"affine_grid of matrices of shape {shape_of(t)} does not fit size {tuple(size)}",
            rule="layer-mismatch",
        )
        require(
            shape_of(t)[0] == size[0],
            RuntimeError,
            f"affine_grid of matrices of shape {shape_of(t)} does not fit size {tuple(size)}",
            rule="layer-mismatch",
        )
    return tensor((size[0],) + tuple(size[2:]) + (dims,), dtype_of(t))
