"""Embedding, a mean over time and dense layers in flax."""
import jax
import jax.numpy as jnp
from flax import linen as nn


class TextClassifier(nn.Module):
    vocab: int
    dim: int
    classes: int

    @nn.compact
    def __call__(self, tokens, train: bool = False):
        x = nn.Embed(self.vocab, self.dim)(tokens)
        x = nn.LayerNorm()(x)
        x = x.mean(axis=1)
        x = nn.Dropout(0.1, deterministic=not train)(x)
        x = nn.gelu(nn.Dense(24)(x))
        return nn.Dense(self.classes)(x)


model = TextClassifier(vocab=60, dim=16, classes=4)
tokens = jnp.zeros((5, 11), dtype=jnp.int32)
variables = model.init(jax.random.PRNGKey(0), tokens)
logits = model.apply(variables, tokens)
labels = jnp.array([0, 1, 2, 3, 0])
loss = -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(5), labels])
print(loss, logits.shape)
