"""PyTorch: REINFORCE and a DQN with replay on a corridor world."""
import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

Transition = namedtuple("Transition", ("state", "action", "reward", "next_state", "done"))


class Corridor:
    """Walk right to the goal; the state is one-hot."""

    def __init__(self, length=6):
        self.length = length
        self.n_actions = 2
        self.reset()

    def reset(self):
        self.pos = 0
        self.t = 0
        return self._state()

    def _state(self):
        s = np.zeros(self.length, dtype=np.float32)
        s[self.pos] = 1.0
        return s

    def step(self, action):
        self.t += 1
        self.pos = int(np.clip(self.pos + (1 if action == 1 else -1), 0, self.length - 1))
        done = self.pos == self.length - 1 or self.t >= 30
        reward = 1.0 if self.pos == self.length - 1 else -0.02
        return self._state(), reward, done, {"t": self.t}


class Policy(nn.Module):
    def __init__(self, n_in, n_out, hidden=24):
        super().__init__()
        self.l1 = nn.Linear(n_in, hidden)
        self.l2 = nn.Linear(hidden, n_out)

    def forward(self, x):
        return self.l2(F.relu(self.l1(x)))

    def act(self, state):
        logits = self(torch.from_numpy(state).unsqueeze(0))
        dist = Categorical(logits=logits)
        a = dist.sample()
        return a.item(), dist.log_prob(a), dist.entropy()


class Replay:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        batch = Transition(*zip(*random.sample(self.memory, n)))
        states = torch.as_tensor(np.stack(batch.state))
        nexts = torch.as_tensor(np.stack(batch.next_state))
        actions = torch.tensor(batch.action).unsqueeze(1)
        rewards = torch.tensor(batch.reward, dtype=torch.float32)
        dones = torch.tensor(batch.done, dtype=torch.float32)
        return states, actions, rewards, nexts, dones

    def __len__(self):
        return len(self.memory)


def discounted(rewards, gamma=0.97):
    out, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        out.insert(0, g)
    out = torch.tensor(out)
    return (out - out.mean()) / (out.std() + 1e-6)


def reinforce(env, episodes=15):
    policy = Policy(env.length, env.n_actions)
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    lengths = []
    for _ in range(episodes):
        state, done = env.reset(), False
        log_probs, rewards, entropies = [], [], []
        while not done:
            action, logp, entropy = policy.act(state)
            state, reward, done, info = env.step(action)
            log_probs.append(logp)
            entropies.append(entropy)
            rewards.append(reward)
        returns = discounted(rewards)
        loss = -(torch.cat(log_probs) * returns).sum() - 0.01 * torch.stack(entropies).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        lengths.append(info["t"])
    return lengths


def dqn(env, steps=200, batch=16, gamma=0.95):
    net, target = Policy(env.length, env.n_actions), Policy(env.length, env.n_actions)
    target.load_state_dict(net.state_dict())
    opt = torch.optim.RMSprop(net.parameters(), lr=5e-3)
    memory = Replay(500)
    state = env.reset()
    epsilon = 1.0
    losses = []
    for step in range(steps):
        if random.random() < epsilon:
            action = random.randrange(env.n_actions)
        else:
            with torch.no_grad():
                action = net(torch.from_numpy(state)[None]).argmax(1).item()
        nxt, reward, done, _ = env.step(action)
        memory.push(state, action, reward, nxt, done)
        state = env.reset() if done else nxt
        epsilon = max(0.1, epsilon * 0.99)
        if len(memory) < batch:
            continue
        s, a, r, s2, d = memory.sample(batch)
        q = net(s).gather(1, a).squeeze(1)
        with torch.no_grad():
            best = target(s2).max(1)[0]
        loss = F.smooth_l1_loss(q, r + gamma * best * (1 - d))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        if step % 50 == 0:
            target.load_state_dict(net.state_dict())
    return net, losses


random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
print("episode lengths", reinforce(Corridor())[-3:])
net, losses = dqn(Corridor(5))
table = net(torch.eye(5)).detach().numpy()
print(table.shape, len(losses), "greedy", ["LR"[a] for a in table.argmax(axis=1)])
