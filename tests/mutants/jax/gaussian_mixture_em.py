"""Expectation and maximisation for a mixture."""
import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(4)
data = jnp.concatenate([jax.random.normal(key, (30, 2)), jax.random.normal(key, (30, 2)) + 4.0])
means = jnp.array([[0.0, 0.5], [3.0, 3.0]])
scales = jnp.ones((2, 2))
weights = jnp.array([0.5, 0.5])


def log_density(x, mean, scale):
    z = (x - mean) / scale
    return -0.5 * jnp.sum(z ** 2) - jnp.sum(jnp.log(scale))


for _ in range(3):
    table = jax.vmap(lambda x: jax.vmap(log_density, in_axes=(None, 0, 0))(x, means, scales))(data)
    resp = jax.nn.softmax(table + jnp.log(weights), axis=1)
    total = resp.sum(axis=0)
    means = (resp.T @ data) / total[:, None]
    diff = data[:, None, :] - means[None, :, :]
    scales = jnp.sqrt(jnp.einsum("nk,nkd->kd", resp, diff ** 2) / total[:, None])
    weights = total / data.shape[0]
print(means.shape, weights)
