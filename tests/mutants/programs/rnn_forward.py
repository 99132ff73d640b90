"""A plain recurrent network over a batch of sequences."""
import numpy as np

rng = np.random.default_rng(15)
batch, steps, inputs, hidden, outputs = 4, 7, 5, 6, 2
x = rng.normal(size=(batch, steps, inputs))
Wx = rng.normal(size=(inputs, hidden)) * 0.1
Wh = rng.normal(size=(hidden, hidden)) * 0.1
b = np.zeros(hidden)
Wy = rng.normal(size=(hidden, outputs)) * 0.1
h = np.zeros((batch, hidden))
states = np.zeros((batch, steps, hidden))
for t in range(steps):
    h = np.tanh(x[:, t, :] @ Wx + h @ Wh + b)
    states[:, t, :] = h
y = states @ Wy
last = y[:, -1, :]
mean_state = states.mean(axis=1)
target = rng.normal(size=(batch, outputs))
loss = ((last - target) ** 2).mean()
grad_Wy = states[:, -1, :].T @ (2 * (last - target) / last.size)
Wy -= 0.1 * grad_Wy
print(y.shape, mean_state.shape, loss > 0)
