"""A flax module with two submodules."""
import jax
import jax.numpy as jnp
from flax import linen as nn


class Encoder(nn.Module):
    latent: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(32)(x))
        return nn.Dense(self.latent)(x)


class Autoencoder(nn.Module):
    latent: int
    features: int

    def setup(self):
        self.encoder = Encoder(self.latent)
        self.decoder = nn.Dense(self.features)

    def __call__(self, x):
        return self.decoder(self.encoder(x))


model = Autoencoder(latent=4, features=20)
x = jnp.ones((6, 20))
params = model.init(jax.random.PRNGKey(0), x)
restored = model.apply(params, x)
print(jnp.mean((restored - x) ** 2), restored.shape)
