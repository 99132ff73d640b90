"""Blur and gradients of an image by convolution."""
import jax
import jax.numpy as jnp
from jax.scipy.signal import convolve2d

image = jax.random.uniform(jax.random.PRNGKey(0), (20, 24))
kernel = jnp.outer(jnp.array([1.0, 2.0, 1.0]), jnp.array([1.0, 2.0, 1.0])) / 16
blurred = convolve2d(image, kernel, mode="same")
sobel = jnp.array([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
gx = convolve2d(blurred, sobel, mode="valid")
gy = convolve2d(blurred, sobel.T, mode="valid")
magnitude = jnp.hypot(gx, gy)
padded = jnp.pad(magnitude, ((1, 1), (1, 1)))
edges = jnp.where(padded > padded.mean(), image, 0.0)
blocks = edges.reshape(5, 4, 6, 4).mean(axis=(1, 3))
print(magnitude.shape, blocks.shape)
