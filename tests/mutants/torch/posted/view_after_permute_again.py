import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8 * 16, 10)

    def forward(self, x):
        y = torch.relu(x)
        y = y.permute(0, 2, 3, 1)
        y = y.view(y.size(0), -1)  # instead: y = y.reshape(y.size(0), -1)
        return y


head = Head()
print(head(torch.randn(2, 3, 4, 4)).shape)
