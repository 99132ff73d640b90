"""A critic that learns more often than its generator, a penalty on gradients, and a count of all its steps."""
import torch
from torch import autograd, nn
from torch.utils.data import DataLoader, TensorDataset

generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
critic = nn.Sequential(nn.Linear(3, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
loader = DataLoader(TensorDataset(torch.randn(128, 3) + 2), batch_size=12, shuffle=True)
for_generator = torch.optim.Adam(generator.parameters(), lr=0.001, betas=(0.5, 0.9))
for_critic = torch.optim.Adam(critic.parameters(), lr=0.001, betas=(0.5, 0.9))


def penalty(judge, real, fake):
    share = torch.rand(len(real), 1)
    between = (share * real + (1 - share) * fake).requires_grad_(True)
    slopes = autograd.grad(judge(between).sum(), between, create_graph=True)[0]
    return ((slopes.norm(2, dim=1) - 1) ** 2).mean()


seen = 0
for epoch in range(4):
    for i, (real,) in enumerate(loader):
        for_critic.zero_grad()
        noise = torch.randn(len(real), 4)
        fake = generator(noise).detach()
        loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(critic, real, fake)
        loss.backward()
        for_critic.step()
        if i % 2 == 0:
            for_generator.zero_grad()
            made = -critic(generator(noise)).mean()
            made.backward()
            for_generator.step()
            seen += 2
    print(epoch, seen, loss.item(), made.item())
torch.save(generator, "generator.pt")
