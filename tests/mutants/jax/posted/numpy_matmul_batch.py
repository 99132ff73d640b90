import jax.numpy as jnp

x = jnp.ones((8, 5))
w = jnp.ones((4, 5))
b = jnp.ones(4)
y = x @ w + b  # instead: y = x @ w.T + b
print(y.shape)
