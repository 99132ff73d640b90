"""A module of flax nnx."""
import jax.numpy as jnp
from flax import nnx


class Block(nnx.Module):
    def __init__(self, din, dmid, dout, *, rngs):
        self.linear1 = nnx.Linear(din, dmid, rngs=rngs)
        self.norm = nnx.LayerNorm(dmid, rngs=rngs)
        self.linear2 = nnx.Linear(dmid, dout, rngs=rngs)

    def __call__(self, x):
        return self.linear2(nnx.relu(self.norm(self.linear1(x))))


model = Block(6, 12, 3, rngs=nnx.Rngs(0))
x = jnp.ones((4, 6))
y = jnp.zeros((4, 3))


def loss_fn(model):
    return ((model(x) - y) ** 2).mean()


value = loss_fn(model)
print(value, model(x).shape)
