"""A convolutional autoencoder and its reconstruction error."""
import torch
from torch import nn

encoder = nn.Sequential(
    nn.Conv2d(1, 8, 3, stride=2, padding=1),
    nn.ReLU(),
    nn.Conv2d(8, 16, 3, stride=2, padding=1),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(16 * 7 * 7, 32),
)
decoder = nn.Sequential(
    nn.Linear(32, 16 * 7 * 7),
    nn.Unflatten(1, (16, 7, 7)),
    nn.ConvTranspose2d(16, 8, 2, stride=2),
    nn.ReLU(),
    nn.ConvTranspose2d(8, 1, 2, stride=2),
    nn.Sigmoid(),
)
images = torch.rand(4, 1, 28, 28)
code = encoder(images)
restored = decoder(code)
error = nn.functional.mse_loss(restored, images)
error.backward()
print(code.shape, restored.shape, error.item())
