import torch
import torch.nn as nn


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1),
        nn.BatchNorm2d(cin),  # instead: nn.BatchNorm2d(cout),
        nn.ReLU(),
    )


net = nn.Sequential(block(3, 16), block(16, 32))
out = net(torch.randn(1, 3, 8, 8))
print(out.shape)
