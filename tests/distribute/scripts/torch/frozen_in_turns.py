"""A critic is frozen while the generator learns, and trained while it does not; its steps look at a penalty on gradients."""
import torch
from torch import autograd, nn
from torch.utils.data import DataLoader, TensorDataset

generator = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 3))
critic = nn.Sequential(nn.Linear(3, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
x = torch.randn(96, 3)
loader = DataLoader(TensorDataset(x, x + 2), batch_size=12, shuffle=True)
for_generator = torch.optim.SGD(generator.parameters(), lr=0.01)
for_critic = torch.optim.SGD(critic.parameters(), lr=0.01)
for epoch in range(4):
    for noise, real in loader:
        for p in critic.parameters():
            p.requires_grad = True
        for_critic.zero_grad()
        fake = generator(noise).detach()
        between = ((real + fake) / 2).requires_grad_(True)
        slopes = autograd.grad(critic(between).sum(), between, create_graph=True)[0]
        loss = critic(fake).mean() - critic(real).mean() + ((slopes.norm(2, dim=1) - 1) ** 2).mean()
        loss.backward()
        for_critic.step()
        for p in critic.parameters():
            p.requires_grad = False
        for_generator.zero_grad()
        made = -critic(generator(noise)).mean()
        made.backward()
        for_generator.step()
    print(epoch, loss.item(), made.item())
