"""An array is assigned to."""
import jax.numpy as jnp

state = jnp.zeros((3, 3))
state[1, 1] = 5.0  # instead: state = state.at[1, 1].set(5.0)
print(state)
