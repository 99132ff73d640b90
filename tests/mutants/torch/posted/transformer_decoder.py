"""A decoder's causal mask is made from the memory's length."""
import torch
from torch import nn

layer = nn.TransformerDecoderLayer(d_model=32, nhead=4, dim_feedforward=64, batch_first=True)
decoder = nn.TransformerDecoder(layer, num_layers=2)
memory = torch.randn(2, 11, 32)
target = torch.randn(2, 6, 32)
mask = nn.Transformer.generate_square_subsequent_mask(memory.size(1))  # instead: mask = nn.Transformer.generate_square_subsequent_mask(target.size(1))
print(decoder(target, memory, tgt_mask=mask).shape)
