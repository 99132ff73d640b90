"""A while_loop whose state grows."""
import jax
import jax.numpy as jnp

out = jax.lax.while_loop(lambda s: s.sum() < 10, lambda s: jnp.append(s, 1.0), jnp.ones(2))  # instead: out = jax.lax.while_loop(lambda s: s.sum() < 10, lambda s: s + 1.0, jnp.ones(2))
print(out)
