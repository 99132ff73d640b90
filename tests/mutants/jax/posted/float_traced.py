"""A traced value is converted to a Python float."""
import jax


@jax.jit
def scale(x):
    return x * float(x.sum())  # instead: return x * x.sum()


print(scale(jax.numpy.ones(3)))
