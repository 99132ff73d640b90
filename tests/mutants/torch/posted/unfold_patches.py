"""Patches cut by unfold are projected by a layer of the wrong input width."""
import torch
from torch import nn

images = torch.randn(2, 3, 32, 32)
patches = images.unfold(2, 8, 8).unfold(3, 8, 8)
patches = patches.permute(0, 2, 3, 1, 4, 5).flatten(1, 2).flatten(2)
project = nn.Linear(8 * 8, 128)  # instead: project = nn.Linear(3 * 8 * 8, 128)
print(project(patches).shape)
