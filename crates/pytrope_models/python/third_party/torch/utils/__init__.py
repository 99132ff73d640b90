"""torch.utils: data sets and checkpoints."""

from . import checkpoint, data
