"""An nnx module with layers that do not fit."""
import jax.numpy as jnp
from flax import nnx


class Model(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(10, 32, rngs=rngs)
        self.second = nnx.Linear(16, 4, rngs=rngs)  # instead: self.second = nnx.Linear(32, 4, rngs=rngs)

    def __call__(self, x):
        return self.second(nnx.relu(self.first(x)))


model = Model(nnx.Rngs(0))
print(model(jnp.ones((3, 10))).shape)
