"""Frames of a signal, a window and a spectrum."""
import jax
import jax.numpy as jnp

rate, frame, hop = 400, 64, 32
time = jnp.arange(rate) / rate
signal = jnp.sin(2 * jnp.pi * 40 * time) + 0.5 * jnp.sin(2 * jnp.pi * 90 * time)
starts = jnp.arange(0, rate - frame + 1, hop)
frames = jax.vmap(lambda s: jax.lax.dynamic_slice(signal, (s,), (frame,)))(starts)
window = jnp.hanning(frame)
spectra = jnp.abs(jnp.fft.rfft(frames * window, axis=1)) ** 2
banks = jnp.tile(jnp.linspace(0.0, 1.0, frame // 2 + 1), (8, 1))
energies = jnp.log(spectra @ banks.T + 1e-6)
delta = jnp.diff(energies, axis=0)
print(frames.shape, energies.shape, delta.shape)
