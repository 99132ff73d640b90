"""A step of deep Q-learning from a replay memory."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
random.seed(1)


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, observations, actions):
        super().__init__()
        self.layer1 = nn.Linear(observations, 32)
        self.layer2 = nn.Linear(32, actions)

    def forward(self, x):
        return self.layer2(F.relu(self.layer1(x)))


policy_net = DQN(4, 2)
target_net = DQN(4, 2)
target_net.load_state_dict(policy_net.state_dict())
memory = ReplayMemory(100)
for _ in range(20):
    memory.push(torch.randn(1, 4), torch.tensor([[random.randrange(2)]]), torch.randn(1, 4), torch.tensor([1.0]))
batch = Transition(*zip(*memory.sample(8)))
states = torch.cat(batch.state)
actions = torch.cat(batch.action)
rewards = torch.cat(batch.reward)
next_states = torch.cat(batch.next_state)
values = policy_net(states).gather(1, actions)
with torch.no_grad():
    next_values = target_net(next_states).max(1).values
expected = next_values * 0.99 + rewards
loss = nn.SmoothL1Loss()(values, expected.unsqueeze(1))
loss.backward()
print(loss.item())
