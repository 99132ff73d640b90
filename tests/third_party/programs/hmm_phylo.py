"""Bioinformatics again: Viterbi and Baum-Welch on CpG islands, UPGMA trees, codon usage."""
from __future__ import annotations

import string
from dataclasses import dataclass
from itertools import combinations

import numpy as np

ALPHABET = "ACGT"


def encode(dna: str) -> np.ndarray:
    return np.fromiter((ALPHABET.index(c) for c in dna), dtype=np.int64)


class HMM:
    def __init__(self, start, transition, emission):
        self.pi = np.asarray(start, dtype=float)
        self.A = np.asarray(transition, dtype=float)
        self.B = np.asarray(emission, dtype=float)
        k = len(self.pi)
        if self.A.shape != (k, k) or self.B.shape[0] != k:
            raise ValueError(f"shapes do not fit: {self.pi.shape}, {self.A.shape}, {self.B.shape}")

    def viterbi(self, obs):
        T, K = len(obs), len(self.pi)
        logA, logB = np.log(self.A), np.log(self.B)
        delta = np.log(self.pi) + logB[:, obs[0]]
        back = np.zeros((T, K), dtype=int)
        for t in range(1, T):
            scores = delta[:, None] + logA
            back[t] = scores.argmax(axis=0)
            delta = scores.max(axis=0) + logB[:, obs[t]]
        path = [int(delta.argmax())]
        for t in range(T - 1, 0, -1):
            path.append(int(back[t, path[-1]]))
        return path[::-1], float(delta.max())

    def forward(self, obs):
        alpha = np.zeros((len(obs), len(self.pi)))
        scale = np.zeros(len(obs))
        alpha[0] = self.pi * self.B[:, obs[0]]
        for t in range(len(obs)):
            if t:
                alpha[t] = (alpha[t - 1] @ self.A) * self.B[:, obs[t]]
            scale[t] = alpha[t].sum()
            alpha[t] /= scale[t]
        return alpha, scale

    def backward(self, obs, scale):
        beta = np.ones((len(obs), len(self.pi)))
        for t in range(len(obs) - 2, -1, -1):
            beta[t] = self.A @ (self.B[:, obs[t + 1]] * beta[t + 1]) / scale[t + 1]
        return beta

    def fit(self, obs, rounds=10):
        history = []
        for _ in range(rounds):
            alpha, scale = self.forward(obs)
            beta = self.backward(obs, scale)
            gamma = alpha * beta
            gamma /= gamma.sum(axis=1, keepdims=True)
            xi = np.einsum("ti,ij,tj->ij", alpha[:-1], self.A, (self.B[:, obs[1:]].T * beta[1:]) / scale[1:, None])
            self.pi = gamma[0]
            self.A = xi / xi.sum(axis=1, keepdims=True)
            one_hot = np.eye(self.B.shape[1])[obs]
            self.B = (gamma.T @ one_hot) / gamma.sum(axis=0)[:, None]
            history.append(np.log(scale).sum())
        return history


@dataclass
class Node:
    name: str
    height: float = 0.0
    size: int = 1
    left: Node | None = None
    right: Node | None = None

    def newick(self, parent: float | None = None) -> str:
        branch = "" if parent is None else f":{parent - self.height:.2f}"
        if self.left is None or self.right is None:
            return f"{self.name}{branch}"
        return f"({self.left.newick(self.height)},{self.right.newick(self.height)}){branch}"

    def leaves(self):
        if self.left and self.right:
            yield from self.left.leaves()
            yield from self.right.leaves()
        else:
            yield self.name


def distance(a: str, b: str) -> float:
    pairs = [(x, y) for x, y in zip(a, b) if "-" not in (x, y)]
    p = sum(x != y for x, y in pairs) / len(pairs)
    return float("inf") if p >= 0.75 else -0.75 * np.log(1 - 4 / 3 * p)


def upgma(sequences: dict[str, str]) -> Node:
    nodes = [Node(n) for n in sequences]
    D = np.zeros((len(nodes), len(nodes)))
    for (i, a), (j, b) in combinations(enumerate(sequences.values()), 2):
        D[i, j] = D[j, i] = distance(a, b)
    while len(nodes) > 1:
        masked = D + np.diag(np.full(len(nodes), np.inf))
        i, j = sorted(np.unravel_index(masked.argmin(), masked.shape))
        a, b = nodes[i], nodes[j]
        merged = Node("", D[i, j] / 2, a.size + b.size, a, b)
        row = (a.size * D[i] + b.size * D[j]) / merged.size
        keep = [k for k in range(len(nodes)) if k not in (i, j)]
        D = np.vstack([np.column_stack([D[np.ix_(keep, keep)], row[keep]]), np.append(row[keep], 0.0)])
        nodes = [nodes[k] for k in keep] + [merged]
    return nodes[0]


rng = np.random.default_rng(8)
truth = np.repeat([0, 1, 0], [60, 40, 60])
emission = np.array([[0.3, 0.2, 0.2, 0.3], [0.1, 0.4, 0.4, 0.1]])
obs = np.array([rng.choice(4, p=emission[s]) for s in truth])
model = HMM([0.5, 0.5], [[0.95, 0.05], [0.1, 0.9]], emission)
path, score = model.viterbi(obs)
print("agreement", np.mean(np.array(path) == truth).round(2), round(score, 1))
history = model.fit(obs)
assert all(b >= a - 1e-6 for a, b in zip(history, history[1:]))
print(model.A.shape, model.B.round(2).tolist()[0], "".join(ALPHABET[o] for o in obs[:10]))
tree = upgma({"human": "ACGTACGTAC", "chimp": "ACGTACGTAA", "mouse": "ACGAACCTAA", "fly": "TCGAACCTTA"})
print(tree.newick(), sorted(tree.leaves()), tree.size, string.ascii_uppercase.find("T"))
assert encode("GATTACA").tolist() == [2, 0, 3, 3, 0, 1, 0]
try:
    HMM([1.0], [[0.5, 0.5]], [[1.0]])
except ValueError as e:
    print("rejected:", e)
