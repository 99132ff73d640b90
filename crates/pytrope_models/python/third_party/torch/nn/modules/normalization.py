"""torch.nn.modules.normalization: the classes of `torch.nn` that are defined there."""

from .._norm import GroupNorm, LayerNorm, LocalResponseNorm, RMSNorm
