"""Flax parameters are applied to inputs of another width."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.features)(x))
        return nn.Dense(2)(x)


net = Net(16)
variables = net.init(jax.random.key(0), jnp.ones((1, 8)))
out = net.apply(variables, jnp.ones((4, 6)))  # instead: out = net.apply(variables, jnp.ones((4, 8)))
print(out.shape)
