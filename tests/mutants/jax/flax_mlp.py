"""A flax module."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class MLP(nn.Module):
    features: int
    classes: int

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.features)(x)
        x = nn.relu(x)
        x = nn.Dense(self.classes)(x)
        return x


model = MLP(features=16, classes=3)
x = jnp.ones((4, 8))
params = model.init(jax.random.PRNGKey(0), x)
logits = model.apply(params, x)
labels = jax.nn.one_hot(jnp.array([0, 1, 2, 0]), 3)
loss = -jnp.mean(jnp.sum(labels * jax.nn.log_softmax(logits), axis=-1))
print(logits.shape, loss)
