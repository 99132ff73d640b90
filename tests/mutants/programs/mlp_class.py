"""A multilayer perceptron as a class with a list of layers."""
import numpy as np


class Dense:
    def __init__(self, rng, inputs, outputs):
        self.W = rng.normal(scale=0.1, size=(inputs, outputs))
        self.b = np.zeros(outputs)

    def forward(self, x):
        self.x = x
        return x @ self.W + self.b

    def backward(self, grad, rate):
        grad_x = grad @ self.W.T
        self.W -= rate * (self.x.T @ grad)
        self.b -= rate * grad.sum(axis=0)
        return grad_x


class Tanh:
    def forward(self, x):
        self.y = np.tanh(x)
        return self.y

    def backward(self, grad, rate):
        return grad * (1 - self.y ** 2)


rng = np.random.default_rng(5)
layers = [Dense(rng, 6, 8), Tanh(), Dense(rng, 8, 3)]
X = rng.normal(size=(20, 6))
Y = rng.normal(size=(20, 3))
for epoch in range(5):
    out = X
    for layer in layers:
        out = layer.forward(out)
    grad = 2 * (out - Y) / len(X)
    for layer in reversed(layers):
        grad = layer.backward(grad, 0.1)
print(out.shape, grad.shape)
