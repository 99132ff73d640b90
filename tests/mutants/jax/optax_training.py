"""Training with optax."""
import jax
import jax.numpy as jnp
import optax

key = jax.random.PRNGKey(0)
x = jax.random.normal(key, (32, 6))
y = jax.random.randint(key, (32,), 0, 4)
params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros((4,))}


def loss_fn(params, x, y):
    logits = x @ params["w"] + params["b"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


optimizer = optax.adam(1e-2)
state = optimizer.init(params)
for _ in range(2):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
print(loss, params["w"].shape)
