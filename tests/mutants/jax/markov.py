"""A chain with a transition matrix."""
import jax
import jax.numpy as jnp

P = jnp.array([[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.0, 0.3, 0.7]])
start = jnp.array([1.0, 0.0, 0.0])
state = start
history = [state]
for _ in range(5):
    state = state @ P
    history.append(state)
path = jnp.stack(history)
rewards = jnp.array([1.0, 5.0, -2.0])
expected = path @ rewards
powers = jnp.linalg.matrix_power(P, 3)
tiled = jnp.tile(start, (4, 1))
print(expected.shape, (tiled @ powers).shape, jnp.repeat(rewards, 2).shape)
