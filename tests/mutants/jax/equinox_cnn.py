"""An equinox module mapped over a batch."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.first = eqx.nn.Linear(8, 16, key=k1)
        self.second = eqx.nn.Linear(16, 3, key=k2)

    def __call__(self, x):
        return self.second(jax.nn.relu(self.first(x)))


net = Net(jax.random.PRNGKey(0))
x = jnp.ones((5, 8))
y = jnp.array([0, 1, 2, 0, 1])


@eqx.filter_value_and_grad
def loss(net, x, y):
    logits = jax.vmap(net)(x)
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], axis=1))


value, grads = loss(net, x, y)
print(value, grads.first.weight.shape)
