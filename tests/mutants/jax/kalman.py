"""A Kalman filter over observations."""
import jax
import jax.numpy as jnp

F = jnp.array([[1.0, 1.0], [0.0, 1.0]])
H = jnp.array([[1.0, 0.0]])
Q = 0.01 * jnp.eye(2)
R = jnp.array([[0.5]])


def update(carry, z):
    x, P = carry
    x = F @ x
    P = F @ P @ F.T + Q
    S = H @ P @ H.T + R
    K = P @ H.T @ jnp.linalg.inv(S)
    x = x + K @ (z - H @ x)
    P = (jnp.eye(2) - K @ H) @ P
    return (x, P), x


observations = jnp.arange(20.0).reshape(20, 1)
(final, cov), states = jax.lax.scan(update, (jnp.zeros(2), jnp.eye(2)), observations)
print(states.shape, final.shape, jnp.trace(cov))
