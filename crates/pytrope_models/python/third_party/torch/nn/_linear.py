"""Linear layers, embeddings, and layers that only rearrange."""

from _pytrope import is_constant, is_unknown, lifted, require, set_attrs, shape_of

from .._make import asked_arg, tensor_arg, ranked, unranked
from . import _layers, _windows
from ._module import Module
from .parameter import parameter


class Identity(Module):
    _pytrope_keeps_shape = True

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        sized(in_features, "in_features")
        sized(out_features, "out_features")
        set_attrs(self, in_features=in_features, out_features=out_features)
        set_attrs(
            self,
            "_parameters",
            weight=parameter((out_features, in_features), dtype, device),
            bias=parameter((out_features,), dtype, device) if bias else None,
        )

    def reset_parameters(self):
        return None

    def forward(self, input):
        return _layers.linear(input, self.weight, self.bias)


class NonDynamicallyQuantizableLinear(Linear):
    pass


def sized(value, name):
    """A number of features or channels."""
    if is_unknown(value):
        return
    if not isinstance(value, int) and (isinstance(value, (str, float)) or value is None):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    require(value >= 0, RuntimeError, f"{name} must not be negative: {value}")


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        set_attrs(self, in1_features=in1_features, in2_features=in2_features, out_features=out_features)
        set_attrs(
            self,
            "_parameters",
            weight=parameter((out_features, in1_features, in2_features), dtype, device),
            bias=parameter((out_features,), dtype, device) if bias else None,
        )

    def forward(self, input1, input2):
        return _layers.bilinear(input1, input2, self.weight, self.bias)


class Embedding(Module):
    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        set_attrs(self, num_embeddings=num_embeddings, embedding_dim=embedding_dim)
        if padding_idx is not None and is_constant(padding_idx) and is_constant(num_embeddings):
            require(
                -num_embeddings <= padding_idx and padding_idx < num_embeddings,
                AssertionError,
                f"padding_idx {padding_idx} lies outside {num_embeddings} embeddings",
            )
        set_attrs(self, padding_idx=padding_idx, max_norm=max_norm, norm_type=norm_type, sparse=sparse)
        set_attrs(self, scale_grad_by_freq=scale_grad_by_freq)
        set_attrs(self, "_parameters", weight=parameter((num_embeddings, embedding_dim), dtype, device))

    @classmethod
    @lifted(tensor_arg, "embeddings")
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, **options):
        if ranked(embeddings):
            require(
                len(shape_of(embeddings)) == 2,
                AssertionError,
                f"embeddings are a matrix, not shape {shape_of(embeddings)}",
                rule="layer-mismatch",
            )
        if not ranked(embeddings):
            return cls(unranked().size(0), unranked().size(0))
        return cls(shape_of(embeddings)[0], shape_of(embeddings)[1])

    def reset_parameters(self):
        return None

    def forward(self, input):
        return _layers.embedding(input, self.weight)


class EmbeddingBag(Module):
    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        mode="mean",
        sparse=False,
        _weight=None,
        include_last_offset=False,
        padding_idx=None,
        device=None,
        dtype=None,
    ):
        super().__init__()
        set_attrs(
            self, num_embeddings=num_embeddings, embedding_dim=embedding_dim, include_last_offset=include_last_offset
        )
        set_attrs(self, max_norm=max_norm, norm_type=norm_type, mode=mode, sparse=sparse, padding_idx=padding_idx)
        set_attrs(self, scale_grad_by_freq=scale_grad_by_freq)
        set_attrs(self, "_parameters", weight=parameter((num_embeddings, embedding_dim), dtype, device))

    def forward(self, input, offsets=None, per_sample_weights=None):
        from .._make import tensor

        x = tensor_arg(input)
        if not ranked(x):
            return unranked("float32")
        shape = shape_of(x)
        require(
            len(shape) == 1 or len(shape) == 2,
            ValueError,
            f"embedding_bag takes rank 1 or 2, not shape {shape}",
            rule="layer-mismatch",
        )
        if len(shape) == 2:
            require(offsets is None, ValueError, "embedding_bag of a matrix takes no offsets")
            return tensor((shape[0], self.embedding_dim), "float32")
        require(offsets is not None, ValueError, "embedding_bag of a vector needs offsets")
        o = tensor_arg(offsets)
        if not ranked(o) or self.include_last_offset:
            return unranked("float32")
        return tensor((shape_of(o)[0], self.embedding_dim), "float32")


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        set_attrs(self, start_dim=start_dim, end_dim=end_dim)

    def forward(self, input):
        return asked_arg(input).flatten(self.start_dim, self.end_dim)


class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        set_attrs(self, dim=dim, unflattened_size=unflattened_size)

    def forward(self, input):
        return tensor_arg(input).unflatten(self.dim, self.unflattened_size)


class CosineSimilarity(Module):
    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        set_attrs(self, dim=dim)

    def forward(self, x1, x2):
        return _layers.cosine_similarity(x1, x2, self.dim)


class PairwiseDistance(Module):
    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        set_attrs(self, keepdim=keepdim)

    def forward(self, x1, x2):
        return _layers.pairwise_distance(x1, x2, keepdim=self.keepdim)


class Upsample(Module):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        set_attrs(self, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners)
        set_attrs(self, name=type(self).__name__, recompute_scale_factor=recompute_scale_factor)

    def forward(self, input):
        return _windows.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear")


class PixelShuffle(Module):
    def __init__(self, upscale_factor):
        super().__init__()
        set_attrs(self, upscale_factor=upscale_factor)

    def forward(self, input):
        return _windows.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Module):
    def __init__(self, downscale_factor):
        super().__init__()
        set_attrs(self, downscale_factor=downscale_factor)

    def forward(self, input):
        return _windows.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Module):
    def __init__(self, groups):
        super().__init__()
        set_attrs(self, groups=groups)

    def forward(self, input):
        return _windows.channel_shuffle(input, self.groups)


class Fold(Module):
    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        set_attrs(self, options=(output_size, kernel_size, dilation, padding, stride))

    def forward(self, input):
        return _windows.fold(input, *self.options)


class Unfold(Module):
    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        set_attrs(self, options=(kernel_size, dilation, padding, stride))

    def forward(self, input):
        return _windows.unfold(input, *self.options)
