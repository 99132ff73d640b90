"""A linear autoencoder trained by gradient steps."""
import numpy as np

rng = np.random.default_rng(45)
n, d, k = 30, 8, 3
X = rng.normal(size=(n, k)) @ rng.normal(size=(k, d))
X -= X.mean(axis=0)
encoder = rng.normal(scale=0.1, size=(d, k))
decoder = rng.normal(scale=0.1, size=(k, d))
losses = np.zeros(30)
for epoch in range(30):
    code = X @ encoder
    rebuilt = code @ decoder
    error = rebuilt - X
    losses[epoch] = (error ** 2).mean()
    grad_decoder = code.T @ error * (2 / error.size)
    grad_encoder = X.T @ (error @ decoder.T) * (2 / error.size)
    decoder -= 0.1 * grad_decoder
    encoder -= 0.1 * grad_encoder
noisy = X + 0.1 * rng.normal(size=X.shape)
clean = noisy @ encoder @ decoder
per_row = np.linalg.norm(clean - X, axis=1)
worst = np.argsort(per_row)[-5:]
print(X[worst].shape, code.std(axis=0).shape, losses[-1] <= losses[0])
