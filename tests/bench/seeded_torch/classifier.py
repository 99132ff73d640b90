"""The last layer was copied from a model for other images."""
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(16 * 14 * 14, 10)

    def forward(self, images):
        x = torch.flatten(self.features(images), 1)
        return self.head(x)  # raises RuntimeError


Classifier()(torch.randn(8, 3, 32, 32))
