"""Log probabilities of chosen actions."""
import jax
import jax.numpy as jnp

obs_dim, actions, steps = 4, 2, 10
k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
W = jax.random.normal(k1, (obs_dim, actions)) * 0.1
observations = jax.random.normal(k2, (steps, obs_dim))
chosen = jax.random.randint(k3, (steps,), 0, actions)
rewards = jnp.linspace(0.0, 1.0, steps)


def returns(rewards, gamma=0.95):
    def back(total, r):
        total = r + gamma * total
        return total, total
    _, out = jax.lax.scan(back, 0.0, rewards, reverse=True)
    return out


def objective(W):
    log_probs = jax.nn.log_softmax(observations @ W)
    picked = log_probs[jnp.arange(steps), chosen]
    advantage = returns(rewards)
    return -jnp.mean(picked * (advantage - advantage.mean()))


print(objective(W), jax.grad(objective)(W).shape)
