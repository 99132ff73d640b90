"""A temporal convolutional network with dilations."""
import torch
from torch import nn


class CausalConv1d(nn.Conv1d):
    def __init__(self, cin, cout, kernel_size, dilation=1):
        super().__init__(cin, cout, kernel_size, padding=(kernel_size - 1) * dilation, dilation=dilation)
        self.cut = (kernel_size - 1) * dilation

    def forward(self, x):
        out = super().forward(x)
        return out[:, :, :-self.cut] if self.cut else out


class TCN(nn.Module):
    def __init__(self, channels, levels, horizon):
        super().__init__()
        layers = []
        for level in range(levels):
            cin = 1 if level == 0 else channels
            layers += [CausalConv1d(cin, channels, 3, dilation=2 ** level), nn.ReLU()]
        self.network = nn.Sequential(*layers)
        self.linear = nn.Linear(channels, horizon)

    def forward(self, x):
        y = self.network(x)
        return self.linear(y[:, :, -1])


series = torch.sin(torch.arange(0, 100).float() / 5)
windows = series.unfold(0, 24, 4)
inputs, targets = windows[:, :20].unsqueeze(1), windows[:, 20:]
model = TCN(10, 3, 4)
loss = nn.functional.smooth_l1_loss(model(inputs), targets)
loss.backward()
print(inputs.shape, loss.item())
