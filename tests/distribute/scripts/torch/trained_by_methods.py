"""An autoencoder that is trained through `encode` and `decode` instead of its forward pass; the gradients are clipped."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3))
        self.decoder = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 6))

    def encode(self, x):
        return self.encoder(x)

    def decode(self, z):
        return self.decoder(z)


x = torch.randn(96, 6) @ torch.randn(6, 6)
loader = DataLoader(TensorDataset(x), batch_size=12, shuffle=True)
model = Autoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(6):
    for (batch,) in loader:
        optimizer.zero_grad()
        latent = model.encode(batch)
        loss = nn.functional.mse_loss(model.decode(latent), batch) + 0.01 * latent.pow(2).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print(epoch, loss.item())
torch.save(model.state_dict(), "autoencoder.pt")
