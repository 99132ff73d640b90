"""Convolutions in flax."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class CNN(nn.Module):
    def setup(self):
        self.conv1 = nn.Conv(features=8, kernel_size=(3, 3))
        self.conv2 = nn.Conv(features=4, kernel_size=(3, 3))
        self.dense = nn.Dense(features=10)

    def __call__(self, x):
        x = nn.relu(self.conv1(x))
        x = nn.avg_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = nn.relu(self.conv2(x))
        x = x.reshape((x.shape[0], -1))
        return self.dense(x)


images = jnp.ones((2, 12, 12, 1))
net = CNN()
variables = net.init(jax.random.PRNGKey(0), images)
out = net.apply(variables, images)
print((out @ jnp.ones((10, 2))).shape)
