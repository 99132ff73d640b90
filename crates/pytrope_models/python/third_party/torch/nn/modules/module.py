"""torch.nn.modules.module: the classes of `torch.nn` that are defined there."""

from .._module import Module
