"""torch.nn.modules.pixelshuffle: the classes of `torch.nn` that are defined there."""

from .._linear import PixelShuffle, PixelUnshuffle
