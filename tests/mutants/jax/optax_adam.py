"""A training loop with optax."""
import jax
import jax.numpy as jnp
import optax

k1, k2 = jax.random.split(jax.random.PRNGKey(0))
params = {"w": jax.random.normal(k1, (3, 2)), "b": jnp.zeros(2)}
x = jax.random.normal(k2, (40, 3))
y = x @ jnp.ones((3, 2))
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))
state = optimizer.init(params)


def loss_fn(params, x, y):
    prediction = x @ params["w"] + params["b"]
    return optax.l2_loss(prediction, y).mean()


@jax.jit
def step(params, state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


for i in range(3):
    params, state, loss = step(params, state, x, y)
print(loss, params["w"].shape)
