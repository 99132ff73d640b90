"""Kaggle style: a movie recommender by matrix factorisation, with baselines, k-NN and evaluation."""
from collections import defaultdict
from dataclasses import dataclass

import numpy as np


@dataclass
class Ratings:
    users: np.ndarray
    items: np.ndarray
    values: np.ndarray

    def __post_init__(self):
        if not len(self.users) == len(self.items) == len(self.values):
            raise ValueError("lengths differ")

    def __len__(self):
        return self.values.shape[0]

    def __getitem__(self, index):
        return Ratings(self.users[index], self.items[index], self.values[index])

    def __iter__(self):
        return zip(self.users.tolist(), self.items.tolist(), self.values.tolist())

    @property
    def shape(self):
        return self.users.max() + 1, self.items.max() + 1

    def dense(self, shape=None):
        out = np.full(shape or self.shape, np.nan)
        out[self.users, self.items] = self.values
        return out

    def split(self, fraction, rng):
        order = rng.permutation(len(self))
        cut = int(len(self) * fraction)
        return self[order[:cut]], self[order[cut:]]


def synthetic(n_users=40, n_items=30, rank=3, density=0.5, seed=0):
    rng = np.random.default_rng(seed)
    U, V = rng.normal(size=(n_users, rank)), rng.normal(size=(n_items, rank))
    scores = np.clip(np.round(3 + U @ V.T / 1.5), 1, 5)
    users, items = np.nonzero(rng.random(scores.shape) < density)
    return Ratings(users, items, scores[users, items]), rng


class Baseline:
    def fit(self, ratings, shape):
        n_users, n_items = shape
        self.mean = ratings.values.mean()
        residual = ratings.values - self.mean
        self.item = np.bincount(ratings.items, residual, minlength=n_items) / (
            5 + np.bincount(ratings.items, minlength=n_items)
        )
        residual = residual - self.item[ratings.items]
        self.user = np.bincount(ratings.users, residual, minlength=n_users) / (
            5 + np.bincount(ratings.users, minlength=n_users)
        )
        return self

    def predict(self, users, items):
        return self.mean + self.user[users] + self.item[items]


class Factorisation(Baseline):
    def __init__(self, rank=4, lr=0.02, reg=0.05, epochs=15, seed=0):
        self.rank, self.lr, self.reg, self.epochs = rank, lr, reg, epochs
        self.rng = np.random.default_rng(seed)

    def fit(self, ratings, shape):
        super().fit(ratings, shape)
        n_users, n_items = shape
        self.P = 0.1 * self.rng.standard_normal((n_users, self.rank))
        self.Q = 0.1 * self.rng.standard_normal((n_items, self.rank))
        self.history = []
        for epoch in range(self.epochs):
            loss = 0.0
            for k in self.rng.permutation(len(ratings)):
                u, i, r = ratings.users[k], ratings.items[k], ratings.values[k]
                e = r - self.predict(u, i)
                loss += e * e
                pu = self.P[u].copy()
                self.P[u] += self.lr * (e * self.Q[i] - self.reg * pu)
                self.Q[i] += self.lr * (e * pu - self.reg * self.Q[i])
                self.user[u] += self.lr * (e - self.reg * self.user[u])
            self.history.append(loss / len(ratings))
        return self

    def predict(self, users, items):
        base = super().predict(users, items)
        return base + (self.P[users] * self.Q[items]).sum(axis=-1)

    def similar(self, item, k=3):
        norms = np.linalg.norm(self.Q, axis=1)
        cos = self.Q @ self.Q[item] / (norms * norms[item] + 1e-9)
        cos[item] = -np.inf
        return np.argpartition(-cos, k)[:k]


class ALS(Factorisation):
    def fit(self, ratings, shape):
        Baseline.fit(self, ratings, shape)
        R = ratings.dense(shape)
        known = ~np.isnan(R)
        residual = np.where(known, R - self.mean, 0.0)
        self.user[:] = 0
        self.item[:] = 0
        self.P = self.rng.standard_normal((shape[0], self.rank))
        self.Q = self.rng.standard_normal((shape[1], self.rank))
        eye = np.eye(self.rank)
        for _ in range(5):
            for target, other, rows, mask in ((self.P, self.Q, residual, known), (self.Q, self.P, residual.T, known.T)):
                for n in range(len(target)):
                    M = other[mask[n]]
                    target[n] = np.linalg.solve(M.T @ M + 2.0 * eye, M.T @ rows[n, mask[n]])
        return self


def rmse(model, ratings):
    predicted = np.clip(model.predict(ratings.users, ratings.items), 1, 5)
    return float(np.sqrt(np.mean((predicted - ratings.values) ** 2)))


def precision_at(model, train, test, shape, k=5, good=4):
    seen, liked = defaultdict(set), defaultdict(set)
    for u, i, _ in train:
        seen[u].add(i)
    for u, i, r in test:
        if r >= good:
            liked[u].add(i)
    scores = []
    for u, wanted in liked.items():
        candidates = np.array([i for i in range(shape[1]) if i not in seen[u]])
        ranked = candidates[np.argsort(-model.predict(np.full(len(candidates), u), candidates))][:k]
        scores.append(len(wanted & set(ranked.tolist())) / min(k, len(wanted)))
    return np.mean(scores)


ratings, rng = synthetic()
train, test = ratings.split(0.8, rng)
shape = ratings.shape
print(len(train), len(test), shape)
models = {"baseline": Baseline(), "sgd": Factorisation(), "als": ALS(rank=3)}
table = {}
for name, model in models.items():
    model.fit(train, shape)
    table[name] = rmse(model, test), precision_at(model, train, test, shape)
for name, (error, precision) in sorted(table.items(), key=lambda kv: kv[1]):
    print(f"{name:<10}{error:.3f} {precision:.2f}")
sgd = models["sgd"]
print(sgd.history[-1] < sgd.history[0], sgd.similar(3).shape, np.isnan(train.dense(shape)).mean() > 0.4)
