"""A linen CNN's dense layer is applied to images of another size."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(features=4, kernel_size=(3, 3))(x))
        x = nn.avg_pool(x, window_shape=(2, 2), strides=(2, 2))
        return nn.Dense(features=10)(x.reshape((x.shape[0], -1)))


cnn = CNN()
params = cnn.init(jax.random.PRNGKey(1), jnp.ones((1, 28, 28, 1)))["params"]
print(cnn.apply({"params": params}, jnp.ones((2, 32, 32, 1))).shape)  # instead: print(cnn.apply({"params": params}, jnp.ones((2, 28, 28, 1))).shape)
