"""Convolutions with explicit dimension numbers."""
import jax
import jax.numpy as jnp
from jax import lax


def conv(x, w, stride):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
w1 = jax.random.normal(k1, (3, 3, 1, 8)) * 0.1
w2 = jax.random.normal(k2, (3, 3, 8, 16)) * 0.1
dense = jax.random.normal(k3, (7 * 7 * 16, 10)) * 0.01


def model(images):
    x = pool(jax.nn.relu(conv(images, w1, 1)))
    x = pool(jax.nn.relu(conv(x, w2, 1)))
    x = x.reshape((x.shape[0], -1))
    return x @ dense


print(model(jnp.ones((4, 28, 28, 1))).shape)
