"""Logistic regression with value_and_grad."""
import jax
import jax.numpy as jnp
import numpy as np

inputs = jnp.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]])
targets = jnp.array([True, True, False, True])


def sigmoid(x):
    return 0.5 * (jnp.tanh(x / 2) + 1)


def predict(W, b, inputs):
    return sigmoid(jnp.dot(inputs, W) + b)


def loss(W, b):
    preds = predict(W, b, inputs)
    label_probs = preds * targets + (1 - preds) * (1 - targets)
    return -jnp.sum(jnp.log(label_probs))


W = jax.random.normal(jax.random.PRNGKey(0), (3,))
b = 0.0
value, (dW, db) = jax.value_and_grad(loss, argnums=(0, 1))(W, b)
W = W - 0.1 * dW
stacked = np.vstack([np.asarray(W), np.ones(3)])
print(value, stacked.shape)
