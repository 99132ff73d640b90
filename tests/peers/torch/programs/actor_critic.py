import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(4, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        action_prob = F.softmax(self.action_head(x), dim=-1)
        state_values = self.value_head(x)
        return action_prob, state_values


model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)


def select_action(state):
    probs, state_value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append((m.log_prob(action), state_value))
    return action.item()


for t in range(6):
    state = torch.randn(4)
    action = select_action(state)
    model.rewards.append(float(action))

R = 0
returns = []
for r in model.rewards[::-1]:
    R = r + 0.99 * R
    returns.insert(0, R)
returns = torch.tensor(returns)
returns = (returns - returns.mean()) / (returns.std() + 1e-6)
policy_losses, value_losses = [], []
for (log_prob, value), R in zip(model.saved_actions, returns):
    advantage = R - value.item()
    policy_losses.append(-log_prob * advantage)
    value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
loss.backward()
optimizer.step()

states = torch.randn(5, 4)
probs, values = model(states)
chosen = probs.gather(1, torch.zeros(5, 1, dtype=torch.long)).squeeze(1)
entropy = -(probs * probs.log()).sum(dim=1).mean()
batch_loss = -(chosen.log() * values.detach().squeeze(1)).mean() - 0.01 * entropy
print(batch_loss.item())
