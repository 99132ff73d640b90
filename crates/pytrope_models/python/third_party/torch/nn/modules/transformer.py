"""torch.nn.modules.transformer: the classes of `torch.nn` that are defined there."""

from .._attention import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
