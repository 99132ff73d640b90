"""torch.nn.modules.linear: the classes of `torch.nn` that are defined there."""

from .._linear import Bilinear, Identity, Linear
