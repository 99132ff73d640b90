"""Newton's method with jacobian and hessian."""
import jax
import jax.numpy as jnp

A = jnp.array([[3.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.5]])
b = jnp.array([1.0, -2.0, 0.5])


def f(x):
    return 0.5 * x @ A @ x - b @ x + jnp.sum(jnp.cosh(x))


x = jnp.zeros(3)
for _ in range(4):
    g = jax.grad(f)(x)
    H = jax.hessian(f)(x)
    x = x - jnp.linalg.solve(H, g)
J = jax.jacfwd(lambda v: jnp.concatenate([A @ v, jnp.sin(v)]))(x)
print(x, J.shape, jnp.linalg.norm(g))
