"""Arrays are not changed in place."""
import jax.numpy as jnp

x = jnp.zeros((4, 5))
x = x.at[0].set(1.0)
x = x.at[1, 2].add(3.0)
x = x.at[:, 0].set(jnp.arange(4.0))
y = x.at[2:4].multiply(2.0)
row = y[3]
total = jnp.concatenate([x, y], axis=0)
stacked = jnp.stack([row, row])
print(total.shape, stacked.shape, y.sum(axis=1).shape)
