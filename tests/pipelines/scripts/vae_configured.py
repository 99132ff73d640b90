"""A variational autoencoder, configured by OmegaConf."""

import torch
from omegaconf import OmegaConf
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import FashionMNIST

config = OmegaConf.create({
    "data": {"root": "data", "batch_size": 100},
    "model": {"hidden": 400, "latent": 20},
    "optim": {"lr": 1e-3, "epochs": 1},
})


class VAE(nn.Module):
    def __init__(self, hidden, latent):
        super().__init__()
        self.fc1 = nn.Linear(784, hidden)
        self.fc_mean = nn.Linear(hidden, latent)
        self.fc_logvar = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, 784)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc_mean(h), self.fc_logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 784))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(reconstruction, x, mu, logvar):
    bce = F.binary_cross_entropy(reconstruction, x.view(-1, 784), reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


def train(epoch, model, loader, optimizer):
    model.train()
    total = 0
    for batch_idx, (data, _) in enumerate(loader):
        optimizer.zero_grad()
        reconstruction, mu, logvar = model(data)
        loss = loss_function(reconstruction, data, mu, logvar)
        loss.backward()
        total += loss.item()
        optimizer.step()
        if batch_idx % 200 == 0:
            print(f"epoch {epoch} [{batch_idx * len(data)}/{len(loader.dataset)}] {loss.item() / len(data):.4f}")
    return total / len(loader.dataset)


def test(model, loader):
    model.eval()
    total = 0
    with torch.no_grad():
        for i, (data, _) in enumerate(loader):
            reconstruction, mu, logvar = model(data)
            total += loss_function(reconstruction, data, mu, logvar).item()
            if i == 0:
                n = min(data.size(0), 8)
                comparison = torch.cat([data[:n], reconstruction.view(config.data.batch_size, 1, 28, 28)[:n]])
                print(comparison.shape)
    return total / len(loader.dataset)


if __name__ == "__main__":
    to_tensor = transforms.ToTensor()
    train_set = FashionMNIST(config.data.root, train=True, download=True, transform=to_tensor)
    test_set = FashionMNIST(config.data.root, train=False, transform=to_tensor)
    train_loader = DataLoader(train_set, batch_size=config.data.batch_size, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=config.data.batch_size, shuffle=False)
    model = VAE(config.model.hidden, config.model.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=config.optim.lr)
    for epoch in range(1, config.optim.epochs + 1):
        train_loss = train(epoch, model, train_loader, optimizer)
        test_loss = test(model, test_loader)
        print(epoch, train_loss, test_loss)
    with torch.no_grad():
        z = torch.randn(64, config.model.latent)
        images = model.decode(z).view(64, 1, 28, 28)
    print(images.mean(dim=(1, 2, 3)).shape)
