"""k-means with distances by broadcasting."""
import jax
import jax.numpy as jnp

points = jax.random.uniform(jax.random.PRNGKey(0), (50, 2))
centres = points[:4]


@jax.jit
def assign(points, centres):
    distances = jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=-1)
    return jnp.argmin(distances, axis=1)


@jax.jit
def update(points, labels):
    one_hot = jax.nn.one_hot(labels, 4)
    sums = one_hot.T @ points
    counts = one_hot.sum(axis=0)[:, None]
    return sums / counts


for _ in range(3):
    labels = assign(points, centres)
    centres = update(points, labels)
print(centres.shape, jnp.bincount(labels, length=4).shape)
