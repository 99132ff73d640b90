"""A network of dense layers as a list of pairs."""
import jax
import jax.numpy as jnp
from jax import grad, jit, random, vmap

sizes = [784, 32, 16, 10]


def init_layer(m, n, key, scale=1e-2):
    w_key, b_key = random.split(key)
    return scale * random.normal(w_key, (n, m)), scale * random.normal(b_key, (n,))


def init_network(sizes, key):
    keys = random.split(key, len(sizes))
    return [init_layer(m, n, k) for m, n, k in zip(sizes[:-1], sizes[1:], keys)]


params = init_network(sizes, random.PRNGKey(0))


def predict(params, image):
    activations = image
    for w, b in params[:-1]:
        outputs = jnp.dot(w, activations) + b
        activations = jax.nn.relu(outputs)
    final_w, final_b = params[-1]
    return jnp.dot(final_w, activations) + final_b


image = random.normal(random.PRNGKey(1), (28 * 28,))
print(predict(params, image).shape)
batched = vmap(predict, in_axes=(None, 0))
images = random.normal(random.PRNGKey(1), (10, 28 * 28))
print(batched(params, images).shape)
