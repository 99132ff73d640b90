"""A small framework of layers: forward, backward, and an optimiser with momentum."""
import numpy as np

rng = np.random.default_rng(3)


class Linear:
    def __init__(self, inputs, outputs):
        self.weight = rng.normal(scale=np.sqrt(2 / inputs), size=(inputs, outputs))
        self.bias = np.zeros(outputs)

    def forward(self, x):
        self.x = x
        return x @ self.weight + self.bias

    def backward(self, gradient):
        self.weight_gradient = self.x.T @ gradient
        self.bias_gradient = gradient.sum(axis=0)
        return gradient @ self.weight.T

    def parameters(self):
        return [(self.weight, self.weight_gradient), (self.bias, self.bias_gradient)]


class Rectifier:
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask

    def backward(self, gradient):
        return gradient * self.mask

    def parameters(self):
        return []


class Dropout:
    def __init__(self, rate):
        self.rate = rate

    def forward(self, x):
        self.kept = rng.random(x.shape) > self.rate
        return x * self.kept / (1 - self.rate)

    def backward(self, gradient):
        return gradient * self.kept / (1 - self.rate)

    def parameters(self):
        return []


layers = [Linear(6, 16), Rectifier(), Dropout(0.2), Linear(16, 3)]
X = rng.normal(size=(48, 6))
labels = rng.integers(0, 3, size=48)
targets = np.eye(3)[labels]
velocity = [np.zeros((6, 16)), np.zeros(16), np.zeros((16, 3)), np.zeros(3)]
for start in range(0, 48, 16):
    batch, wanted = X[start:start + 16], targets[start:start + 16]
    out = batch
    for layer in layers:
        out = layer.forward(out)
    shifted = out - out.max(axis=1, keepdims=True)
    probabilities = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    gradient = (probabilities - wanted) / len(batch)
    for layer in reversed(layers):
        gradient = layer.backward(gradient)
    pairs = [pair for layer in layers for pair in layer.parameters()]
    for v, (value, slope) in zip(velocity, pairs):
        v *= 0.9
        v -= 0.1 * slope
        value += v
print(layers[0].weight.shape, probabilities.shape)
