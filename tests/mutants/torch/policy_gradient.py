"""REINFORCE on a made-up environment."""
import torch
from torch import nn
from torch.distributions import Categorical

policy = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


def step(state, action):
    return torch.randn(4), float(action == 1)


def discounted(rewards, gamma=0.9):
    out, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + gamma * total
        out.insert(0, total)
    returns = torch.tensor(out)
    return (returns - returns.mean()) / (returns.std() + 1e-6)


state = torch.zeros(4)
log_probs, rewards = [], []
for _ in range(10):
    distribution = Categorical(logits=policy(state))
    action = distribution.sample()
    log_probs.append(distribution.log_prob(action))
    state, reward = step(state, action.item())
    rewards.append(reward)
loss = -(torch.stack(log_probs) * discounted(rewards)).sum()
optimizer.zero_grad()
loss.backward()
optimizer.step()
print(loss.item())
