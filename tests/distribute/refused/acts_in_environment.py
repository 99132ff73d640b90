"""refused: PT411 the samples come from acting in an environment, through a method of the module."""
import gym
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def distribution(self, state):
        return torch.distributions.Categorical(logits=self.fc(state))


env = gym.make("CartPole-v1")
policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for episode in range(10):
    state, done, losses = env.reset(), False, []
    while not done:
        choice = policy.distribution(torch.as_tensor(state, dtype=torch.float32))
        action = choice.sample()
        state, reward, done, _ = env.step(action.item())
        losses.append(-choice.log_prob(action) * reward)
    optimizer.zero_grad()
    torch.stack(losses).sum().backward()
    optimizer.step()
