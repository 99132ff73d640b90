"""Coursework in machine learning: a decision tree, a random forest, k-means, cross-validation, metrics; NumPy only."""
import numpy as np


class Leaf:
    def __init__(self, y, n_classes):
        self.counts = np.bincount(y, minlength=n_classes)

    def proba(self):
        return self.counts / self.counts.sum()


class Split:
    def __init__(self, feature, threshold, left, right):
        self.feature = feature
        self.threshold = threshold
        self.left = left
        self.right = right


class DecisionTree:
    def __init__(self, max_depth=4, min_samples=2, max_features=None, rng=None):
        self.max_depth = max_depth
        self.min_samples = min_samples
        self.max_features = max_features
        self.rng = rng if rng is not None else np.random.default_rng()
        self.root = None

    @staticmethod
    def gini(counts):
        total = counts.sum(axis=-1, keepdims=True)
        p = counts / np.maximum(total, 1)
        return 1 - (p**2).sum(axis=-1)

    def fit(self, X, y):
        self.n_classes = int(y.max()) + 1
        self.n_features = X.shape[1]
        self.importance = np.zeros(self.n_features)
        self.root = self._grow(X, y, 0)
        return self

    def _grow(self, X, y, depth):
        if depth >= self.max_depth or len(y) < self.min_samples or np.unique(y).size == 1:
            return Leaf(y, self.n_classes)
        best = self._best_split(X, y)
        if best is None:
            return Leaf(y, self.n_classes)
        feature, threshold, gain = best
        self.importance[feature] += gain * len(y)
        mask = X[:, feature] <= threshold
        return Split(feature, threshold, self._grow(X[mask], y[mask], depth + 1), self._grow(X[~mask], y[~mask], depth + 1))

    def _best_split(self, X, y):
        k = self.max_features or self.n_features
        candidates = self.rng.choice(self.n_features, size=k, replace=False)
        one_hot = np.eye(self.n_classes)[y]
        parent = self.gini(one_hot.sum(axis=0))
        best, best_gain = None, 1e-9
        for j in candidates:
            order = np.argsort(X[:, j], kind="stable")
            xs, ys = X[order, j], one_hot[order]
            left = ys.cumsum(axis=0)[:-1]
            right = ys.sum(axis=0) - left
            nl = np.arange(1, len(xs))
            nr = len(xs) - nl
            impurity = (nl * self.gini(left) + nr * self.gini(right)) / len(xs)
            impurity[xs[1:] == xs[:-1]] = np.inf
            i = impurity.argmin()
            gain = parent - impurity[i]
            if gain > best_gain:
                best, best_gain = (j, (xs[i] + xs[i + 1]) / 2, gain), gain
        return best

    def _walk(self, x):
        node = self.root
        while isinstance(node, Split):
            node = node.left if x[node.feature] <= node.threshold else node.right
        return node.proba()

    def predict_proba(self, X):
        if self.root is None:
            raise RuntimeError("fit first")
        return np.array([self._walk(x) for x in X])

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


class Forest:
    def __init__(self, n=10, **options):
        self.n, self.options = n, options
        self.trees = []

    def fit(self, X, y, seed=0):
        rng = np.random.default_rng(seed)
        self.trees = []
        for _ in range(self.n):
            rows = rng.integers(0, len(X), len(X))
            self.trees.append(DecisionTree(rng=rng, **self.options).fit(X[rows], y[rows]))
        return self

    def predict(self, X):
        votes = np.stack([t.predict(X) for t in self.trees])
        return np.apply_along_axis(lambda v: np.bincount(v).argmax(), 0, votes)


def kmeans(X, k, rng, rounds=20):
    centres = X[rng.choice(len(X), k, replace=False)]
    for _ in range(rounds):
        d = np.linalg.norm(X[:, None, :] - centres[None], axis=2)
        label = d.argmin(axis=1)
        new = np.array([X[label == j].mean(axis=0) if (label == j).any() else centres[j] for j in range(k)])
        if np.allclose(new, centres):
            break
        centres = new
    return centres, label


def k_fold(n, k, rng):
    folds = np.array_split(rng.permutation(n), k)
    for i, test in enumerate(folds):
        train = np.concatenate(folds[:i] + folds[i + 1 :])
        yield train, test


def scores(y_true, y_pred):
    labels = np.union1d(y_true, y_pred)
    report = {}
    for c in labels:
        tp = np.sum((y_pred == c) & (y_true == c))
        precision = tp / max((y_pred == c).sum(), 1)
        recall = tp / max((y_true == c).sum(), 1)
        f1 = 0.0 if tp == 0 else 2 * precision * recall / (precision + recall)
        report[int(c)] = (precision, recall, f1)
    return report


rng = np.random.default_rng(42)
means = np.array([[0, 0, 0, 0], [3, 3, 0, 0], [0, 3, 3, 0]], dtype=float)
y = np.repeat(np.arange(3), 40)
X = means[y] + rng.normal(size=(120, 4))

results = {"tree": [], "forest": []}
for train, test in k_fold(len(X), 4, rng):
    tree = DecisionTree(max_depth=3, rng=rng).fit(X[train], y[train])
    forest = Forest(7, max_depth=4, max_features=2).fit(X[train], y[train])
    results["tree"].append((tree.predict(X[test]) == y[test]).mean())
    results["forest"].append((forest.predict(X[test]) == y[test]).mean())
for name, values in results.items():
    print(f"{name:<7} {np.mean(values):.2f} ± {np.std(values):.2f}")
    assert np.mean(values) > 0.7
print({c: tuple(np.round(v, 2).tolist()) for c, v in scores(y, tree.predict(X)).items()})
print("importance", (tree.importance / tree.importance.sum()).round(2).argmax())
centres, label = kmeans(X, 3, rng)
purity = sum(np.bincount(y[label == j]).max() for j in range(3) if np.any(label == j)) / len(y)
print(centres.shape, purity > 0.6)
U, S, Vt = np.linalg.svd(X - X.mean(0), full_matrices=False)
projected = X @ Vt[:2].T
print(projected.shape, (S[:2] ** 2).sum() / (S**2).sum() > 0.5)
