"""A neural network from scratch as in a blog post: layer classes, losses, optimisers, spiral data."""
import numpy as np


class Layer:
    def forward(self, x):
        raise NotImplementedError

    def backward(self, grad):
        raise NotImplementedError

    def params(self):
        return []


class Dense(Layer):
    def __init__(self, n_in, n_out, rng):
        self.W = rng.normal(0, np.sqrt(2 / n_in), (n_in, n_out))
        self.b = np.zeros((1, n_out))

    def forward(self, x):
        self.x = x
        return x @ self.W + self.b

    def backward(self, grad):
        self.dW = self.x.T @ grad
        self.db = grad.sum(axis=0, keepdims=True)
        return grad @ self.W.T

    def params(self):
        return [(self.W, self.dW), (self.b, self.db)]


class ReLU(Layer):
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask

    def backward(self, grad):
        return grad * self.mask


class Dropout(Layer):
    def __init__(self, p, rng):
        self.p, self.rng, self.training = p, rng, True

    def forward(self, x):
        if not self.training:
            self.mask = 1.0
            return x
        self.mask = (self.rng.random(x.shape) > self.p) / (1 - self.p)
        return x * self.mask

    def backward(self, grad):
        return grad * self.mask


class BatchNorm(Layer):
    def __init__(self, n, momentum=0.9):
        self.gamma, self.beta = np.ones(n), np.zeros(n)
        self.running = [np.zeros(n), np.ones(n)]
        self.momentum, self.training = momentum, True

    def forward(self, x):
        if self.training:
            mean, var = x.mean(axis=0), x.var(axis=0)
            for k, new in enumerate((mean, var)):
                self.running[k] = self.momentum * self.running[k] + (1 - self.momentum) * new
        else:
            mean, var = self.running
        self.std = np.sqrt(var + 1e-5)
        self.xhat = (x - mean) / self.std
        return self.gamma * self.xhat + self.beta

    def backward(self, grad):
        n = len(grad)
        self.dgamma = (grad * self.xhat).sum(0)
        self.dbeta = grad.sum(0)
        dx = grad * self.gamma
        return (n * dx - dx.sum(0) - self.xhat * (dx * self.xhat).sum(0)) / (n * self.std)

    def params(self):
        return [(self.gamma, self.dgamma), (self.beta, self.dbeta)]


class SoftmaxCrossEntropy:
    def __call__(self, logits, y):
        shifted = logits - logits.max(axis=1, keepdims=True)
        p = np.exp(shifted)
        p /= p.sum(axis=1, keepdims=True)
        self.p, self.y = p, y
        return -np.log(p[np.arange(len(y)), y] + 1e-12).mean()

    def gradient(self):
        g = self.p.copy()
        g[range(len(self.y)), self.y] -= 1
        return g / len(self.y)


class Adam:
    def __init__(self, lr=1e-2, b1=0.9, b2=0.999):
        self.lr, self.b1, self.b2, self.t = lr, b1, b2, 0
        self.state = {}

    def step(self, params):
        self.t += 1
        for k, (p, g) in enumerate(params):
            m, v = self.state.setdefault(k, (np.zeros_like(p), np.zeros_like(p)))
            m = self.b1 * m + (1 - self.b1) * g
            v = self.b2 * v + (1 - self.b2) * g**2
            self.state[k] = m, v
            p -= self.lr * (m / (1 - self.b1**self.t)) / (np.sqrt(v / (1 - self.b2**self.t)) + 1e-8)


class Network:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, x, training=True):
        for layer in self.layers:
            if hasattr(layer, "training"):
                layer.training = training
            x = layer.forward(x)
        return x

    def backward(self, grad):
        for layer in reversed(self.layers):
            grad = layer.backward(grad)
        return grad

    def params(self):
        return [pair for layer in self.layers for pair in layer.params()]


def spiral(points, classes, rng):
    X = np.zeros((points * classes, 2))
    y = np.zeros(points * classes, dtype="uint8")
    for c in range(classes):
        ix = range(points * c, points * (c + 1))
        r = np.linspace(0.0, 1, points)
        t = np.linspace(c * 4, (c + 1) * 4, points) + rng.standard_normal(points) * 0.2
        X[ix] = np.c_[r * np.sin(t), r * np.cos(t)]
        y[ix] = c
    return X, y


def minibatches(X, y, size, rng):
    order = rng.permutation(len(X))
    for start in range(0, len(X), size):
        pick = order[start : start + size]
        yield X[pick], y[pick]


rng = np.random.default_rng(0)
X, y = spiral(60, 3, rng)
net = Network(Dense(2, 32, rng), BatchNorm(32), ReLU(), Dropout(0.1, rng), Dense(32, 3, rng))
loss_fn, opt = SoftmaxCrossEntropy(), Adam()
for epoch in range(30):
    total = 0
    for xb, yb in minibatches(X, y, 30, rng):
        total += loss_fn(net(xb), yb) * len(xb)
        net.backward(loss_fn.gradient())
        opt.step(net.params())
    if epoch % 10 == 9:
        accuracy = (net(X, training=False).argmax(1) == y).mean()
        print(f"epoch {epoch + 1} loss {total / len(X):.3f} accuracy {accuracy:.2f}")

check = Network(Dense(4, 5, rng), ReLU(), Dense(5, 3, rng))
xs, ys = rng.normal(size=(6, 4)), rng.integers(0, 3, 6)
loss_fn(check(xs), ys)
check.backward(loss_fn.gradient())
W, dW = check.params()[0]
i, j, eps = 1, 2, 1e-6
W[i, j] += eps
up = loss_fn(check(xs), ys)
W[i, j] -= 2 * eps
down = loss_fn(check(xs), ys)
assert np.isclose((up - down) / (2 * eps), dW[i, j], atol=1e-5)
