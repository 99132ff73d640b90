import jax
import jax.numpy as jnp

weights = jnp.ones((3, 4))
batch = jnp.ones((8, 4))
predict = jax.vmap(lambda w, x: w @ x, in_axes=(0, 0))  # instead: predict = jax.vmap(lambda w, x: w @ x, in_axes=(None, 0))
print(predict(weights, batch).shape)
