"""A convolution whose kernel has other input channels."""
import jax
import jax.numpy as jnp

images = jnp.ones((1, 3, 16, 16))
kernel = jnp.ones((8, 1, 3, 3))  # instead: kernel = jnp.ones((8, 3, 3, 3))
out = jax.lax.conv_general_dilated(images, kernel, window_strides=(1, 1), padding="SAME")
print(out.shape)
