"""An exponential filter and a running maximum by scan."""
import jax
import jax.numpy as jnp
from jax import lax

signal = jnp.sin(jnp.linspace(0.0, 6.0, 50))


def smooth(carry, x):
    new = 0.9 * carry + 0.1 * x
    return new, new


def widest(carry, x):
    carry = jnp.maximum(carry, x)
    return carry, (carry, x)


last, smoothed = lax.scan(smooth, 0.0, signal)
_, (peaks, copies) = lax.scan(widest, -jnp.inf, smoothed)
table = jnp.stack([signal, smoothed, peaks], axis=1)
print(last, table.shape, (copies - smoothed).sum())
