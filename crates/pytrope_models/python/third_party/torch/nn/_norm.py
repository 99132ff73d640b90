"""Normalisation layers."""

from _pytrope import dtype_of, is_unknown, learn_rank, lifted, refuted, require, set_attrs, shape_of

from .. import _dtypes
from .._make import alike, asked_arg, tensor_arg, ranked, known_suffix, tensor
from . import _layers
from ._module import Module
from .parameter import parameter
from .._versions import by_release


class _BatchNorm(Module):
    _pytrope_keeps_shape = True
    ranks = (4,)
    spatial = 2

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None
    ):
        super().__init__()
        set_attrs(
            self,
            num_features=num_features,
            eps=eps,
            momentum=momentum,
            affine=affine,
            track_running_stats=track_running_stats,
        )
        set_attrs(
            self,
            "_parameters",
            weight=parameter((num_features,), dtype, device) if affine else None,
            bias=parameter((num_features,), dtype, device) if affine else None,
        )
        if track_running_stats:
            self.register_buffer("running_mean", tensor((num_features,), _dtypes.name(dtype, "float32")))
            self.register_buffer("running_var", tensor((num_features,), _dtypes.name(dtype, "float32")))
            self.register_buffer("num_batches_tracked", tensor((), "int64"))
        else:
            self.register_buffer("running_mean", None)
            self.register_buffer("running_var", None)
            self.register_buffer("num_batches_tracked", None)

    def reset_running_stats(self):
        return None

    def reset_parameters(self):
        return None

    @lifted(asked_arg, "input")
    def forward(self, input):
        if not ranked(input):
            if len(self.ranks) > 1:
                return alike(input, dtype_of(input))
            learn_rank(input, self.ranks[0])
        shape = shape_of(input)
        require(
            len(shape) in self.ranks,
            ValueError,
            f"{type(self).__name__} takes rank {' or '.join([str(rank) for rank in self.ranks])}, "
            f"and this tensor has shape {shape}",
            rule="layer-mismatch",
        )
        return _layers.batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
        )


class BatchNorm1d(_BatchNorm):
    ranks = (2, 3)
    spatial = 1


class BatchNorm2d(_BatchNorm):
    pass


class BatchNorm3d(_BatchNorm):
    ranks = (5,)
    spatial = 3


class SyncBatchNorm(_BatchNorm):
    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        return module


class _InstanceNorm(Module):
    _pytrope_keeps_shape = True
    ranks = (3, 4)

    def __init__(
        self, num_features, eps=1e-05, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None
    ):
        super().__init__()
        set_attrs(self, num_features=num_features, eps=eps, momentum=momentum, affine=affine)
        set_attrs(self, track_running_stats=track_running_stats)
        set_attrs(
            self,
            "_parameters",
            weight=parameter((num_features,), dtype, device) if affine else None,
            bias=parameter((num_features,), dtype, device) if affine else None,
        )

    @lifted(tensor_arg, "input")
    def forward(self, input):
        if ranked(input):
            shape = shape_of(input)
            require(
                len(shape) in self.ranks,
                ValueError,
                f"{type(self).__name__} takes rank {self.ranks[0]} or {self.ranks[1]}, "
                f"and this tensor has shape {shape}",
                rule="layer-mismatch",
            )
            channels = shape[len(shape) - self.ranks[0]]
            if self.affine:
                require(
                    channels == self.num_features,
                    by_release(RuntimeError, ValueError),
                    f"{type(self).__name__} expects {self.num_features} channels, "
                    f"and the input of shape {shape} has {channels}",
                    rule="layer-mismatch",
                )
            size = 1
            for k in range(len(shape) - self.ranks[0] + 1, len(shape)):
                size = size * shape[k]
            if self.training or not self.track_running_stats:
                require(
                    size != 1,
                    ValueError,
                    f"{type(self).__name__} needs more than one value for each channel, "
                    f"and the input has shape {shape}",
                    rule="layer-mismatch",
                )
        return alike(input, dtype_of(input))


class InstanceNorm1d(_InstanceNorm):
    ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    ranks = (4, 5)


class LayerNorm(Module):
    _pytrope_keeps_shape = True

    def __init__(self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        set_attrs(
            self,
            normalized_shape=normalized_shape
            if is_unknown(normalized_shape)
            else tuple(normalized_shape)
            if isinstance(normalized_shape, (tuple, list))
            else (normalized_shape,),
            eps=eps,
            elementwise_affine=elementwise_affine,
        )
        set_attrs(
            self,
            "_parameters",
            weight=parameter(self.normalized_shape, dtype, device) if elementwise_affine else None,
            bias=parameter(self.normalized_shape, dtype, device) if elementwise_affine and bias is not False else None,
        )

    def forward(self, input):
        own = self.normalized_shape
        # A parameter of the program that was unknown at construction may have turned out to be a number since.
        if not is_unknown(own) and isinstance(own, int):
            own = (own,)
        return _layers.layer_norm(input, own, self.weight, self.bias, self.eps)


class RMSNorm(LayerNorm):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__(normalized_shape, 1e-05, elementwise_affine, False, device, dtype)

    def forward(self, x):
        return _layers.rms_norm(x, self.normalized_shape, self.weight, self.eps)


class GroupNorm(Module):
    _pytrope_keeps_shape = True

    def __init__(self, num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None):
        super().__init__()
        if not is_unknown(num_groups) and not is_unknown(num_channels) and not refuted(num_groups > 0):
            require(
                num_channels % num_groups == 0,
                ValueError,
                f"num_channels {num_channels} is not divisible by num_groups {num_groups}",
            )
        set_attrs(self, num_groups=num_groups, num_channels=num_channels, eps=eps, affine=affine)
        set_attrs(
            self,
            "_parameters",
            weight=parameter((num_channels,), dtype, device) if affine else None,
            bias=parameter((num_channels,), dtype, device) if affine else None,
        )

    def forward(self, input):
        return _layers.group_norm(input, self.num_groups, self.weight, self.bias)


class CrossMapLRN2d(Module):
    _pytrope_keeps_shape = True

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        set_attrs(self, size=size, alpha=alpha, beta=beta, k=k)

    @lifted(tensor_arg, "input")
    def forward(self, input):
        if ranked(input):
            message = f"CrossMapLRN2d takes rank 4, not shape {shape_of(input)}"
            wrong = by_release(AssertionError, ValueError)
            require(len(shape_of(input)) == 4, wrong, message, rule="layer-mismatch")
        return alike(input, dtype_of(input))


class LocalResponseNorm(Module):
    def __init__(self, size, alpha=0.0001, beta=0.75, k=1.0):
        super().__init__()
        set_attrs(self, size=size, alpha=alpha, beta=beta, k=k)

    def forward(self, input):
        return _layers.local_response_norm(input, self.size)
