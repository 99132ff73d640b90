"""A spectrally normalised discriminator gets flattened images of another size."""
import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

critic = nn.Sequential(nn.Flatten(), spectral_norm(nn.Linear(28 * 28, 64)), nn.LeakyReLU(0.2), spectral_norm(nn.Linear(64, 1)))
print(critic(torch.randn(4, 1, 32, 32)).shape)  # instead: print(critic(torch.randn(4, 1, 28, 28)).shape)
