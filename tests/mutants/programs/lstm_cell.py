"""A long short-term memory cell with fused gates."""
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(x, h, c, W, U, b):
    hidden = h.shape[1]
    gates = x @ W + h @ U + b
    i = sigmoid(gates[:, :hidden])
    f = sigmoid(gates[:, hidden:2 * hidden])
    o = sigmoid(gates[:, 2 * hidden:3 * hidden])
    g = np.tanh(gates[:, 3 * hidden:])
    c = f * c + i * g
    return o * np.tanh(c), c


rng = np.random.default_rng(16)
batch, inputs, hidden = 3, 4, 5
W = rng.normal(size=(inputs, 4 * hidden)) * 0.1
U = rng.normal(size=(hidden, 4 * hidden)) * 0.1
b = np.zeros(4 * hidden)
h = np.zeros((batch, hidden))
c = np.zeros((batch, hidden))
sequence = rng.normal(size=(6, batch, inputs))
outputs = []
for x in sequence:
    h, c = step(x, h, c, W, U, b)
    outputs.append(h)
stacked = np.stack(outputs)
pooled = stacked.max(axis=0)
print(stacked.shape, pooled.shape)
