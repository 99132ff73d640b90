"""A switch whose branches disagree about a result."""
import jax
import jax.numpy as jnp

branches = [lambda x: x.sum(), lambda x: x, lambda x: -x]  # instead: branches = [lambda x: x * 2, lambda x: x, lambda x: -x]
print(jax.lax.switch(1, branches, jnp.ones(3)))
