"""torch.nn.modules.conv: the classes of `torch.nn` that are defined there."""

from .._conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
