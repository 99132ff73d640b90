"""A variational autoencoder written as functions."""
import jax
import jax.numpy as jnp


def dense(key, m, n):
    return {"w": jax.random.normal(key, (m, n)) * 0.05, "b": jnp.zeros((n,))}


def linear(p, x):
    return jnp.dot(x, p["w"]) + p["b"]


keys = jax.random.split(jax.random.PRNGKey(0), 5)
params = {"enc": dense(keys[0], 64, 24), "mu": dense(keys[1], 24, 6), "lv": dense(keys[2], 24, 6), "dec": dense(keys[3], 6, 24), "out": dense(keys[4], 24, 64)}


def elbo(params, key, x):
    h = jnp.tanh(linear(params["enc"], x))
    mu, logvar = linear(params["mu"], h), linear(params["lv"], h)
    z = mu + jnp.exp(0.5 * logvar) * jax.random.normal(key, mu.shape)
    logits = linear(params["out"], jnp.tanh(linear(params["dec"], z)))
    rec = jnp.sum(x * jax.nn.log_sigmoid(logits) + (1 - x) * jax.nn.log_sigmoid(-logits), axis=-1)
    kl = 0.5 * jnp.sum(jnp.exp(logvar) + mu ** 2 - 1.0 - logvar, axis=-1)
    return jnp.mean(rec - kl)


x = jnp.ones((7, 64)) * 0.5
value, grads = jax.value_and_grad(elbo)(params, jax.random.PRNGKey(1), x)
print(value, grads["out"]["w"].shape)
