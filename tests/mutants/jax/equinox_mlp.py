"""Equinox modules."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.first = eqx.nn.Linear(4, 16, key=k1)
        self.second = eqx.nn.Linear(16, 2, key=k2)

    def __call__(self, x):
        return self.second(jax.nn.relu(self.first(x)))


net = Net(jax.random.PRNGKey(0))
x = jnp.ones((10, 4))
y = jax.vmap(net)(x)
print(y.shape, net(x[0]).shape)
