"""Two parameter trees are added whose leaves differ."""
import jax
import jax.numpy as jnp

old = [jnp.ones((2, 3)), jnp.ones(3)]
new = [jnp.ones((3, 2)), jnp.ones(3)]  # instead: new = [jnp.ones((2, 3)), jnp.ones(3)]
mixed = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, old, new)
print(mixed[0].shape)
