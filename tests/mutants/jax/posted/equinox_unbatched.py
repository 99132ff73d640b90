"""An equinox layer is called on a batch without vmap."""
import equinox as eqx
import jax
import jax.numpy as jnp

mlp = eqx.nn.MLP(in_size=3, out_size=2, width_size=8, depth=2, key=jax.random.key(0))
x = jnp.ones((5, 3))
print(mlp(x).shape)  # instead: print(jax.vmap(mlp)(x).shape)
