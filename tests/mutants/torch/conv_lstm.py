"""A recurrent cell whose gates are convolutions."""
import torch
import torch.nn as nn


class ConvLSTMCell(nn.Module):
    def __init__(self, channels, hidden, kernel=3):
        super().__init__()
        self.hidden = hidden
        self.gates = nn.Conv2d(channels + hidden, 4 * hidden, kernel, padding=kernel // 2)

    def forward(self, x, state):
        h, c = state
        i, f, o, g = torch.split(self.gates(torch.cat([x, h], dim=1)), self.hidden, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c

    def init(self, batch, size):
        return torch.zeros(batch, self.hidden, *size), torch.zeros(batch, self.hidden, *size)


cell = ConvLSTMCell(1, 6)
readout = nn.Conv2d(6, 1, 1)
video = torch.rand(2, 5, 1, 12, 12)
state = cell.init(2, (12, 12))
frames = []
for t in range(video.size(1)):
    state = cell(video[:, t], state)
    frames.append(readout(state[0]))
prediction = torch.stack(frames, dim=1)
loss = nn.functional.mse_loss(prediction[:, :-1], video[:, 1:])
loss.backward()
print(loss.item())
