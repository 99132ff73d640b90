# Exported from a notebook: cells one after another, globals reused and redefined, quick and dirty.
# %%
import numpy as np
import math, random, sys, os

np.set_printoptions(precision=3, suppress=True)
SEED = int(os.environ.get("SEED", 0))
rng = np.random.RandomState(SEED)

# %% toy data
N, D = 200, 3
X = rng.randn(N, D)
true_w = np.array([1.5, -2.0, 0.5])
y = X @ true_w + 0.3 * rng.randn(N)
X.shape, y.shape

# %% plain least squares
Xb = np.hstack([X, np.ones((N, 1))])
w = np.linalg.pinv(Xb) @ y
w

# %% same with gradient descent, keep everything
w = np.zeros(D + 1)
ws = []
for i in range(100):
    g = 2 * Xb.T.dot(Xb.dot(w) - y) / N
    w = w - 0.1 * g
    ws.append(w)
ws = np.array(ws)
print(ws.shape, ws[-1])
err = ((Xb @ ws.T - y[:, None]) ** 2).mean(axis=0)
print(err[:3], err[-1])

# %% polynomial features
def poly(x, degree):
    x = np.asarray(x)
    if x.ndim == 1:
        x = x[:, None]
    return np.concatenate([x**k for k in range(degree + 1)], axis=1)

x = np.sort(rng.uniform(-1, 1, 40))
t = np.sin(3 * x) + 0.1 * rng.randn(*x.shape)
scores = {}
for degree in range(1, 8):
    P = poly(x, degree)
    half = P.shape[0] // 2
    idx = rng.permutation(len(P))
    tr, te = idx[:half], idx[half:]
    coef, res, rank, sv = np.linalg.lstsq(P[tr], t[tr], rcond=None)
    scores[degree] = np.sqrt(np.mean((P[te] @ coef - t[te]) ** 2))
best = min(scores, key=scores.get)
print("best degree", best, "rmse", scores[best])

# %% oops, reuse names
x, y = np.meshgrid(np.linspace(-2, 1, 60), np.linspace(-1.5, 1.5, 50))
c = x + 1j * y
z = np.zeros_like(c)
count = np.zeros(c.shape, dtype=int)
for k in range(30):
    mask = np.abs(z) < 2
    z[mask] = z[mask] ** 2 + c[mask]
    count += mask
for row in count[::10]:
    print("".join(" .:-=+*#%@"[min(v // 3, 9)] for v in row))

# %% one-liners
data = {k: v for k, v in zip(["a", "b", "c"], rng.rand(3, 5))}
table = np.array([data[k] for k in sorted(data)])
print(table.mean(0).shape, table.argmax(1), {k: round(float(v.max()), 2) for k, v in data.items()})
ranks = table.argsort(axis=1).argsort(axis=1)
assert (ranks.sum(axis=1) == 10).all()
counts, bins = np.histogram(rng.randn(1000), bins=10)
width = max(counts)
for n, left in zip(counts, bins):
    print(f"{left:6.2f} {'*' * int(20 * n / width)}")

# %% distances
pts = rng.rand(6, 2)
dist = np.sqrt(((pts[:, None] - pts[None]) ** 2).sum(-1))
np.fill_diagonal(dist, np.inf)
nearest = dist.argmin(1)
print(nearest.shape, dist[np.arange(6), nearest].round(2))
tour = [0]
left = set(range(1, 6))
while left:
    last = tour[-1]
    nxt = min(left, key=lambda j: dist[last, j])
    tour.append(nxt)
    left.remove(nxt)
length = sum(dist[a, b] for a, b in zip(tour, tour[1:] + tour[:1]))
print(tour, round(length, 2))

# %% softmax and entropy
def softmax(z, axis=-1):
    z = z - z.max(axis=axis, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=axis, keepdims=True)

p = softmax(rng.randn(4, 7))
H = -(p * np.log(p)).sum(1)
print(p.sum(1), H < math.log(7))
onehot = np.zeros((4, 7)); onehot[np.arange(4), p.argmax(1)] = 1
print((onehot * p).sum() / 4 > 1 / 7, onehot.argmax(-1) == p.argmax(-1))
if len(sys.argv) > 5:
    print("unexpected arguments", sys.argv[5:], file=sys.stderr)
    sys.exit(1)
