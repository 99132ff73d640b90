import equinox as eqx
import jax
import jax.numpy as jnp

layer = eqx.nn.Linear(4, 2, key=jax.random.PRNGKey(1))
print(layer(jnp.ones((3, 4))))  # instead: print(jax.vmap(layer)(jnp.ones((3, 4))))
