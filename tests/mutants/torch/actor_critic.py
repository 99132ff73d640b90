"""Generalised advantages and a clipped objective."""
import torch
from torch import nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self, obs, act, hidden=32):
        super().__init__()
        self.base = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh())
        self.mean = nn.Linear(hidden, act)
        self.log_std = nn.Parameter(torch.zeros(act))
        self.value = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.base(x)
        return Normal(self.mean(h), self.log_std.exp()), self.value(h).squeeze(-1)


def advantages(rewards, values, gamma=0.99, lam=0.95):
    out = torch.zeros_like(rewards)
    running = 0.0
    for t in reversed(range(rewards.size(0))):
        following = values[t + 1] if t + 1 < len(values) else 0.0
        delta = rewards[t] + gamma * following - values[t]
        running = delta + gamma * lam * running
        out[t] = running
    return out


model = ActorCritic(8, 2)
obs = torch.randn(16, 8)
with torch.no_grad():
    dist, values = model(obs)
    actions = dist.sample()
    old = dist.log_prob(actions).sum(-1)
rewards = torch.randn(16)
adv = advantages(rewards, values)
dist, new_values = model(obs)
ratio = (dist.log_prob(actions).sum(dim=-1) - old).exp()
policy_loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
value_loss = (new_values - (adv + values)).pow(2).mean()
(policy_loss + 0.5 * value_loss).backward()
print(policy_loss.item(), value_loss.item())
