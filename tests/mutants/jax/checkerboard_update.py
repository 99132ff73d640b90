"""In-place style updates of an Ising grid."""
import jax
import jax.numpy as jnp

n = 10
spins = jnp.where(jax.random.bernoulli(jax.random.PRNGKey(0), 0.5, (n, n)), 1, -1)
i, j = jnp.indices((n, n))
black = (i + j) % 2 == 0


def sweep(spins, mask, key):
    neighbours = sum(jnp.roll(spins, shift, axis) for shift in (1, -1) for axis in (0, 1))
    flip = jax.random.uniform(key, (n, n)) < jnp.exp(-0.8 * spins * neighbours)
    return jnp.where(mask & flip, -spins, spins)


k1, k2 = jax.random.split(jax.random.PRNGKey(1))
spins = sweep(spins, black, k1)
spins = sweep(spins, ~black, k2)
energy = -(spins * jnp.roll(spins, 1, axis=0)).sum() - (spins * jnp.roll(spins, 1, axis=1)).sum()
rows = spins.sum(axis=1)
print(energy, rows.shape, spins[2:5, 3].shape)
