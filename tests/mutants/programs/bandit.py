"""Bandits played in parallel."""
import numpy as np

rng = np.random.default_rng(43)
runs, arms, steps = 50, 5, 100
truth = rng.normal(size=(runs, arms))
estimates = np.zeros((runs, arms))
counts = np.zeros((runs, arms))
rewards = np.zeros((runs, steps))
everyone = np.arange(runs)
for t in range(steps):
    greedy = estimates.argmax(axis=1)
    explore = rng.random(runs) < 0.1
    choice = np.where(explore, rng.integers(0, arms, size=runs), greedy)
    reward = truth[everyone, choice] + rng.normal(size=runs)
    counts[everyone, choice] += 1
    estimates[everyone, choice] += (reward - estimates[everyone, choice]) / counts[everyone, choice]
    rewards[:, t] = reward
best = truth.max(axis=1)
regret = best[:, None] - rewards
average = regret.mean(axis=0)
cumulative = np.cumsum(average)
error = np.abs(estimates - truth).mean(axis=1)
print(cumulative.shape, error.shape)
