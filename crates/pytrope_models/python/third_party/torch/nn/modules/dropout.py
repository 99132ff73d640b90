"""torch.nn.modules.dropout: the classes of `torch.nn` that are defined there."""

from .._activation import AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout
