"""Q-learning on a small corridor."""
import numpy as np

rng = np.random.default_rng(42)
states, actions = 6, 2
Q = np.zeros((states, actions))
visits = np.zeros((states, actions), dtype=int)
rewards = np.zeros(40)
for episode in range(40):
    state = 0
    for step in range(20):
        if rng.random() < 0.3:
            action = int(rng.integers(actions))
        else:
            action = int(np.argmax(Q[state]))
        following = min(state + 1, states - 1) if action == 1 else max(state - 1, 0)
        reward = 1.0 if following == states - 1 else 0.0
        Q[state, action] += 0.5 * (reward + 0.9 * Q[following].max() - Q[state, action])
        visits[state, action] += 1
        rewards[episode] += reward
        state = following
policy = Q.argmax(axis=1)
value = Q.max(axis=1)
advantage = Q - value[:, None]
share = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
smoothed = np.convolve(rewards, np.ones(5) / 5, mode="valid")
print(policy.shape, advantage.shape, share.shape, smoothed.shape)
