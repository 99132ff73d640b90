import jax
import jax.numpy as jnp
import flax.linen as nn


class MLP(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.width)(x))
        return nn.Dense(1)(x)


model = MLP(16)
params = model.init(jax.random.PRNGKey(0), jnp.ones((1, 8)))
print(model.apply(params, jnp.ones((5, 9))))  # instead: print(model.apply(params, jnp.ones((5, 8))))
