"""Least squares by gradient descent."""
import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(0)
X = jax.random.normal(key, (100, 3))
true_w = jnp.array([1.0, -2.0, 0.5])
y = X @ true_w + 0.1


def loss(w, X, y):
    prediction = jnp.dot(X, w)
    return jnp.mean((prediction - y) ** 2)


grad_loss = jax.jit(jax.grad(loss))
w = jnp.zeros(3)
for _ in range(5):
    w = w - 0.1 * grad_loss(w, X, y)
print(w.shape, loss(w, X, y))
