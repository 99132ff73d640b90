"""torch.nn.modules.instancenorm: the classes of `torch.nn` that are defined there."""

from .._norm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, _InstanceNorm
