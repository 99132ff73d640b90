"""A two-layer perceptron with manual backpropagation."""
import numpy as np

rng = np.random.default_rng(4)
N, D_in, H, D_out = 32, 10, 16, 4
x = rng.standard_normal((N, D_in))
y = rng.standard_normal((N, D_out))
w1 = rng.standard_normal((D_in, H)) * 0.1
b1 = np.zeros(H)
w2 = rng.standard_normal((H, D_out)) * 0.1
b2 = np.zeros(D_out)
rate = 1e-2
for t in range(30):
    h = x @ w1 + b1
    relu = np.maximum(h, 0)
    out = relu @ w2 + b2
    diff = out - y
    loss = np.square(diff).sum()
    grad_out = 2.0 * diff / N
    grad_w2 = relu.T @ grad_out
    grad_b2 = grad_out.sum(axis=0)
    grad_relu = grad_out @ w2.T
    grad_h = grad_relu.copy()
    grad_h[h < 0] = 0
    grad_w1 = x.T @ grad_h
    grad_b1 = grad_h.sum(axis=0)
    w1 -= rate * grad_w1
    b1 -= rate * grad_b1
    w2 -= rate * grad_w2
    b2 -= rate * grad_b2
print(out.shape, loss > 0)
