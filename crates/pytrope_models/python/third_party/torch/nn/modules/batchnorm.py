"""torch.nn.modules.batchnorm: the classes of `torch.nn` that are defined there."""

from .._norm import BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm, _BatchNorm
