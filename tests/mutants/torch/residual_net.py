"""Residual blocks with a projection."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.shortcut = nn.Identity()
        if stride != 1 or cin != cout:
            self.shortcut = nn.Sequential(nn.Conv2d(cin, cout, 1, stride=stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return torch.relu(y + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, widths, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 3, padding=1)
        stages = []
        previous = widths[0]
        for number, width in enumerate(widths):
            stages.append(Block(previous, width, stride=1 if number == 0 else 2))
            previous = width
        self.stages = nn.Sequential(*stages)
        self.head = nn.Linear(previous, classes)

    def forward(self, x):
        x = self.stages(self.stem(x))
        x = x.mean(dim=(2, 3))
        return self.head(x)


model = ResNet([8, 16, 32], 5)
images = torch.randn(2, 3, 16, 16)
scores = model(images)
print(scores.softmax(dim=-1).sum(dim=-1), scores.shape)
