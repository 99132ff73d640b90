"""A GRU's first state has the batch first."""
import torch
from torch import nn

gru = nn.GRU(input_size=10, hidden_size=20, num_layers=2, batch_first=True)
x = torch.randn(3, 7, 10)
state = torch.zeros(3, 2, 20)  # instead: state = torch.zeros(2, 3, 20)
output, last = gru(x, state)
print(output.shape, last.shape)
