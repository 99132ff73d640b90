"""Random keys are made of a shape and an integer in the wrong order."""
import jax

w = jax.random.normal((3, 4), jax.random.PRNGKey(0))  # instead: w = jax.random.normal(jax.random.PRNGKey(0), (3, 4))
print(w.shape)
