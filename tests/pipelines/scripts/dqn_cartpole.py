"""Deep Q-learning with a replay buffer on a toy environment."""

import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "done"))


class Environment:
    def __init__(self, n_observations=4, n_actions=2):
        self.n_observations = n_observations
        self.n_actions = n_actions
        self.steps = 0

    def reset(self):
        self.steps = 0
        return np.zeros(self.n_observations, dtype=np.float32)

    def step(self, action):
        self.steps += 1
        observation = np.random.randn(self.n_observations).astype(np.float32)
        return observation, float(action), self.steps >= 30


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
    def __init__(self, n_observations, n_actions):
        super().__init__()
        self.layer1 = nn.Linear(n_observations, 128)
        self.layer2 = nn.Linear(128, 128)
        self.layer3 = nn.Linear(128, n_actions)

    def forward(self, x):
        x = F.relu(self.layer1(x))
        x = F.relu(self.layer2(x))
        return self.layer3(x)


BATCH_SIZE = 32
GAMMA = 0.99
TAU = 0.005
env = Environment()
policy_net = DQN(env.n_observations, env.n_actions)
target_net = DQN(env.n_observations, env.n_actions)
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=1e-4, amsgrad=True)
memory = ReplayMemory(1000)


def select_action(state, epsilon=0.1):
    if random.random() > epsilon:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.randrange(env.n_actions)]], dtype=torch.long)


def optimize_model():
    if len(memory) < BATCH_SIZE:
        return
    transitions = memory.sample(BATCH_SIZE)
    batch = Transition(*zip(*transitions))
    state_batch = torch.cat(batch.state)
    action_batch = torch.cat(batch.action)
    next_batch = torch.cat(batch.next_state)
    reward_batch = torch.cat(batch.reward)
    done_batch = torch.cat(batch.done)
    values = policy_net(state_batch).gather(1, action_batch)
    with torch.no_grad():
        next_values = target_net(next_batch).max(1).values
    expected = reward_batch + GAMMA * next_values * (1 - done_batch)
    loss = F.smooth_l1_loss(values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()


for episode in range(5):
    state = torch.tensor(env.reset()).unsqueeze(0)
    done = False
    while not done:
        action = select_action(state)
        observation, reward, done = env.step(action.item())
        next_state = torch.tensor(observation, dtype=torch.float32).unsqueeze(0)
        memory.push(state, action, next_state, torch.tensor([reward]), torch.tensor([float(done)]))
        state = next_state
        optimize_model()
        target_state = target_net.state_dict()
        policy_state = policy_net.state_dict()
        for key in policy_state:
            target_state[key] = policy_state[key] * TAU + target_state[key] * (1 - TAU)
        target_net.load_state_dict(target_state)
q_values = policy_net(torch.randn(7, env.n_observations))
print(q_values.shape)
