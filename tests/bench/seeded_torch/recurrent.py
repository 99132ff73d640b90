"""The hidden state of a bidirectional network has twice the width."""
import torch
from torch import nn

rnn = nn.LSTM(32, 64, batch_first=True, bidirectional=True)
head = nn.Linear(64, 5)
output, _ = rnn(torch.randn(3, 7, 32))
print(head(output[:, -1]))  # raises RuntimeError
