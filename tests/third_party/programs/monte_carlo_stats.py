"""Statistics: bootstrap, permutation test, Metropolis sampling, Gibbs, importance sampling, a t-test by hand."""
import math
import random
from statistics import NormalDist, fmean

import numpy as np
from numpy.random import default_rng


def bootstrap(data, statistic, n=2000, level=0.95, rng=None):
    rng = rng or default_rng()
    data = np.asarray(data)
    index = rng.integers(0, len(data), size=(n, len(data)))
    values = statistic(data[index], axis=1)
    alpha = (1 - level) / 2
    low, high = np.quantile(values, [alpha, 1 - alpha])
    return low, high


def permutation_test(a, b, n=1000, rng=None):
    rng = default_rng(0) if rng is None else rng
    pooled = np.concatenate([a, b])
    observed = abs(a.mean() - b.mean())
    hits = 0
    for _ in range(n):
        rng.shuffle(pooled)
        left, right = pooled[: len(a)], pooled[len(a) :]
        hits += abs(left.mean() - right.mean()) >= observed
    return (hits + 1) / (n + 1)


def welch(a, b):
    va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    t = (a.mean() - b.mean()) / math.sqrt(va + vb)
    df = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return t, df


def metropolis(log_density, start, steps, scale=1.0, seed=0):
    rng = random.Random(seed)
    x = list(start)
    current = log_density(x)
    chain, accepted = [], 0
    for _ in range(steps):
        proposal = [xi + rng.gauss(0, scale) for xi in x]
        candidate = log_density(proposal)
        if math.log(rng.random() or 1e-300) < candidate - current:
            x, current = proposal, candidate
            accepted += 1
        chain.append(tuple(x))
    return np.array(chain), accepted / steps


def gibbs(rho, n, rng):
    out = np.empty((n, 2))
    x = y = 0.0
    sd = math.sqrt(1 - rho**2)
    for k in range(n):
        x = rng.normal(rho * y, sd)
        y = rng.normal(rho * x, sd)
        out[k] = x, y
    return out


def gelman_rubin(chains):
    chains = np.stack(chains)
    m, n = chains.shape
    within = chains.var(axis=1, ddof=1).mean()
    between = n * chains.mean(axis=1).var(ddof=1)
    return math.sqrt(((n - 1) / n * within + between / n) / within)


def estimate_pi(n, rng):
    points = rng.uniform(-1, 1, (n, 2))
    inside = (points**2).sum(axis=1) <= 1
    p = inside.mean()
    return 4 * p, 4 * math.sqrt(p * (1 - p) / n)


def contingency_chi2(table):
    table = np.asarray(table)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return ((table - expected) ** 2 / expected).sum(), (table.shape[0] - 1) * (table.shape[1] - 1)


rng = default_rng(2024)
treated = rng.normal(1.0, 1, size=40)
control = rng.normal(0.2, 1.5, size=35)
print("95% interval", [round(float(v), 2) for v in bootstrap(treated, np.mean, rng=rng)])
print("median interval", np.round(bootstrap(control, np.median, n=500, rng=rng), 2))
print("p", round(permutation_test(treated, control, rng=rng), 3), "t, df", tuple(round(float(v), 2) for v in welch(treated, control)))

chains = [metropolis(lambda v: -0.5 * v[0] ** 2, [s], 1500, scale=2.4, seed=s) for s in range(3)]
rate = fmean(r for _, r in chains)
rhat = gelman_rubin([c[500:, 0] for c, _ in chains])
print(f"acceptance {rate:.2f} rhat {rhat:.3f}")

pairs = gibbs(0.8, 3000, rng)
print("correlation", np.corrcoef(pairs.T)[0, 1].round(1), np.cov(pairs, rowvar=False).shape)
value, err = estimate_pi(20000, rng)
assert abs(value - math.pi) < 6 * err

target = NormalDist(0, 1)
z = rng.normal(4, 1, 50_000)
weights = np.exp(-0.5 * z**2 + 0.5 * (z - 4) ** 2)
tail = np.mean(weights * (z > 4))
print(f"P(Z>4) {tail:.2e} vs {1 - target.cdf(4):.2e}")
print("chi2", contingency_chi2([[10, 20, 30], [6, 9, 17]]))

groups = {"a": treated, "b": control, "c": rng.normal(size=20)}
summary = np.array([(len(g), g.mean(), g.std(ddof=1)) for g in groups.values()])
grand = np.average(summary[:, 1], weights=summary[:, 0])
ss_between = (summary[:, 0] * (summary[:, 1] - grand) ** 2).sum()
ss_within = sum(((g - g.mean()) ** 2).sum() for g in groups.values())
print("F", round(ss_between / 2 / (ss_within / (summary[:, 0].sum() - 3)), 2))
hist, edges = np.histogram(pairs[:, 0], bins="auto", density=True)
print(np.isclose((hist * np.diff(edges)).sum(), 1), np.digitize([0.0], edges).item() > 0)
