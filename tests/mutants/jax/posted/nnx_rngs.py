import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.a = nnx.Linear(3, 5, rngs=rngs)
        self.b = nnx.Linear(4, 1, rngs=rngs)  # instead: self.b = nnx.Linear(5, 1, rngs=rngs)

    def __call__(self, x):
        return self.b(nnx.relu(self.a(x)))


print(Net(nnx.Rngs(0))(jnp.ones((2, 3))))
