"""NHWC images with a kernel in OIHW."""
import jax
import jax.numpy as jnp

x = jnp.ones((2, 28, 28, 1))
k = jnp.ones((16, 1, 3, 3))  # instead: k = jnp.ones((3, 3, 1, 16))
y = jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
print(y.shape)
