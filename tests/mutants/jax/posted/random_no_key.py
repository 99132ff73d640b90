import jax

noise = jax.random.normal((3, 3))  # instead: noise = jax.random.normal(jax.random.PRNGKey(0), (3, 3))
print(noise)
