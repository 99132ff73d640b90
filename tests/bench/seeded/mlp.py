"""A two-layer network by hand; the backward pass forgets a transpose."""
import numpy as np


class Network:
    def __init__(self, inputs, hidden, outputs):
        self.first = np.zeros((inputs, hidden))
        self.second = np.zeros((hidden, outputs))

    def forward(self, x):
        self.x = x
        self.h = np.maximum(x @ self.first, 0.0)
        return self.h @ self.second

    def backward(self, error):
        self.second -= self.h.T @ error
        back = error @ self.second.T
        self.first -= self.x @ back  # raises ValueError


network = Network(20, 16, 4)
x = np.ones((64, 20))
y = np.ones((64, 4))
for _ in range(3):
    network.backward(network.forward(x) - y)
