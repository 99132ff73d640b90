"""Recommendations by factorising a table of ratings."""
import numpy as np

rng = np.random.default_rng(35)
users, items, factors = 8, 10, 3
ratings = rng.integers(1, 6, size=(users, items)).astype(float)
known = rng.random((users, items)) < 0.7
P = rng.normal(scale=0.1, size=(users, factors))
Q = rng.normal(scale=0.1, size=(items, factors))
user_bias = np.zeros(users)
item_bias = np.zeros(items)
mean = ratings[known].mean()
for epoch in range(20):
    predicted = mean + user_bias[:, None] + item_bias[None, :] + P @ Q.T
    error = np.where(known, ratings - predicted, 0.0)
    P += 0.02 * (error @ Q - 0.1 * P)
    Q += 0.02 * (error.T @ P - 0.1 * Q)
    user_bias += 0.02 * error.sum(axis=1)
    item_bias += 0.02 * error.sum(axis=0)
rmse = np.sqrt((error ** 2).sum() / known.sum())
best = predicted.argmax(axis=1)
scores = predicted[np.arange(users), best]
print(scores.shape, rmse > 0)
