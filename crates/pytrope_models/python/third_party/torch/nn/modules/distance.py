"""torch.nn.modules.distance: the classes of `torch.nn` that are defined there."""

from .._linear import CosineSimilarity, PairwiseDistance
