"""An nnx classifier whose pooled embedding does not fit the head."""
import jax.numpy as jnp
from flax import nnx


class Text(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.embed = nnx.Embed(1000, 32, rngs=rngs)
        self.head = nnx.Linear(64, 2, rngs=rngs)  # instead: self.head = nnx.Linear(32, 2, rngs=rngs)

    def __call__(self, tokens):
        return self.head(self.embed(tokens).mean(axis=1))


print(Text(nnx.Rngs(0))(jnp.zeros((3, 7), dtype=jnp.int32)).shape)
