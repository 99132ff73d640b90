"""torch.nn.modules.sparse: the classes of `torch.nn` that are defined there."""

from .._linear import Embedding, EmbeddingBag
