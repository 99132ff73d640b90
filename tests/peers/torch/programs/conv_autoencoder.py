import torch
from torch import nn, optim


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(16 * 7 * 7, 32),
        )
        self.decoder = nn.Sequential(
            nn.Linear(32, 16 * 7 * 7),
            nn.ReLU(),
            nn.Unflatten(1, (16, 7, 7)),
            nn.ConvTranspose2d(16, 8, 3, stride=2, padding=1, output_padding=1),
            nn.ReLU(),
            nn.ConvTranspose2d(8, 1, 3, stride=2, padding=1, output_padding=1),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


model = Autoencoder()
optimizer = optim.Adam(model.parameters(), lr=1e-3)
images = torch.rand(5, 1, 28, 28)
for epoch in range(2):
    reconstruction = model(images)
    loss = nn.functional.mse_loss(reconstruction, images)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
codes = model.encoder(images)
distances = torch.cdist(codes, codes)
nearest = distances.fill_diagonal_(float("inf")).argmin(dim=1)
print(codes[nearest].shape, ((images - reconstruction) ** 2).mean(dim=(1, 2, 3)))
