"""torch.nn.modules.flatten: the classes of `torch.nn` that are defined there."""

from .._linear import Flatten, Unflatten
