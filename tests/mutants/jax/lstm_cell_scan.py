"""An LSTM over a batch of sequences."""
import jax
import jax.numpy as jnp

features, hidden, batch, steps = 6, 10, 4, 7
k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
params = {
    "wi": jax.random.normal(k1, (features, 4 * hidden)) * 0.1,
    "wh": jax.random.normal(k2, (hidden, 4 * hidden)) * 0.1,
    "b": jnp.zeros((4 * hidden,)),
}


def cell(params, state, x):
    h, c = state
    gates = x @ params["wi"] + h @ params["wh"] + params["b"]
    i, f, g, o = jnp.split(gates, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), h


inputs = jax.random.normal(k3, (steps, batch, features))
start = (jnp.zeros((batch, hidden)), jnp.zeros((batch, hidden)))
(h, c), outputs = jax.lax.scan(lambda s, x: cell(params, s, x), start, inputs)
print(h.shape, jnp.transpose(outputs, (1, 0, 2)).shape)
