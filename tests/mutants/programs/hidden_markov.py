"""Forward and backward passes of a hidden Markov model."""
import numpy as np


def forward(initial, transition, emission, observed):
    steps, states = len(observed), initial.shape[0]
    alpha = np.zeros((steps, states))
    scale = np.zeros(steps)
    alpha[0] = initial * emission[:, observed[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, steps):
        alpha[t] = (alpha[t - 1] @ transition) * emission[:, observed[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return alpha, scale


def backward(transition, emission, observed, scale):
    steps, states = len(observed), transition.shape[0]
    beta = np.ones((steps, states))
    for t in reversed(range(steps - 1)):
        beta[t] = transition @ (emission[:, observed[t + 1]] * beta[t + 1])
        beta[t] /= scale[t + 1]
    return beta


initial = np.array([0.6, 0.4])
transition = np.array([[0.7, 0.3], [0.4, 0.6]])
emission = np.array([[0.1, 0.4, 0.5], [0.6, 0.3, 0.1]])
observed = [0, 1, 2, 2, 1, 0, 0]
alpha, scale = forward(initial, transition, emission, observed)
beta = backward(transition, emission, observed, scale)
gamma = alpha * beta
gamma = gamma / gamma.sum(axis=1, keepdims=True)
xi = alpha[:-1, :, None] * transition[None] * (emission[:, observed[1:]].T * beta[1:])[:, None, :]
xi = xi / xi.sum(axis=(1, 2), keepdims=True)
updated = xi.sum(axis=0) / gamma[:-1].sum(axis=0)[:, None]
counts = np.zeros_like(emission)
for symbol in range(3):
    mask = np.array(observed) == symbol
    counts[:, symbol] = gamma[mask].sum(axis=0)
counts = counts / counts.sum(axis=1, keepdims=True)
print(updated.shape, counts.shape, np.log(scale).sum() < 0)
