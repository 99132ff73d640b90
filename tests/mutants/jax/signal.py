"""Spectra and filters."""
import jax.numpy as jnp

t = jnp.linspace(0, 1, 256)
x = jnp.sin(40 * t) + 0.5 * jnp.cos(90 * t)
spectrum = jnp.fft.rfft(x)
power = jnp.abs(spectrum) ** 2
window = jnp.hanning(256)
windowed = x * window
frames = x.reshape(8, 32)
energy = jnp.sum(frames ** 2, axis=1)
smooth = jnp.convolve(x, jnp.ones(5) / 5, mode="same")
both = jnp.stack([x, smooth], axis=1)
padded = jnp.pad(x, (3, 4))
print(power.shape, energy.shape, both.shape, padded.shape, windowed[:10].shape)
