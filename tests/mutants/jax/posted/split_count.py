import jax

key = jax.random.PRNGKey(0)
k1, k2, k3 = jax.random.split(key)  # instead: k1, k2, k3 = jax.random.split(key, 3)
print(jax.random.uniform(k3, (2,)))
