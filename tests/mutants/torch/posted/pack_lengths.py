"""Lengths for packing that are more than the batch has."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

batch = torch.randn(3, 8, 5)
lengths = torch.tensor([8, 6, 4, 2])  # instead: lengths = torch.tensor([8, 6, 4])
packed = pack_padded_sequence(batch, lengths, batch_first=True)
output, _ = nn.LSTM(5, 7, batch_first=True)(packed)
padded, sizes = pad_packed_sequence(output, batch_first=True)
print(padded.shape, sizes)
