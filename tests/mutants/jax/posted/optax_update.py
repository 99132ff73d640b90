"""An optimizer step with gradients of another shape."""
import jax.numpy as jnp
import optax

params = {"w": jnp.ones((3, 2))}
optimizer = optax.adam(1e-3)
state = optimizer.init(params)
grads = {"w": jnp.ones((2, 3))}  # instead: grads = {"w": jnp.ones((3, 2))}
updates, state = optimizer.update(grads, state, params)
print(optax.apply_updates(params, updates)["w"].shape)
