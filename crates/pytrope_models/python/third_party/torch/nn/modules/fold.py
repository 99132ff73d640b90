"""torch.nn.modules.fold: the classes of `torch.nn` that are defined there."""

from .._linear import Fold, Unfold
