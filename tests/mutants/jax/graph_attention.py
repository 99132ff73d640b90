"""A layer of a graph network with masks."""
import jax
import jax.numpy as jnp

nodes, features, hidden = 7, 5, 8
k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
x = jax.random.normal(k1, (nodes, features))
W = jax.random.normal(k2, (features, hidden))
a = jax.random.normal(k3, (2 * hidden,))
edges = jnp.array([[0, 1], [1, 2], [2, 3], [3, 4], [5, 6]])
adjacency = jnp.eye(nodes).at[edges[:, 0], edges[:, 1]].set(1.0)
adjacency = jnp.maximum(adjacency, adjacency.T)
h = x @ W
left = h @ a[:hidden]
right = h @ a[hidden:]
scores = jax.nn.leaky_relu(left[:, None] + right[None, :])
weights = jax.nn.softmax(jnp.where(adjacency > 0, scores, -1e9), axis=1)
out = jax.nn.elu(weights @ h)
pooled = out.mean(axis=0)
print(out.shape, pooled.shape)
