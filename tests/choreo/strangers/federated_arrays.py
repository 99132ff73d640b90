"""Federated averaging with NumPy, weights per layer."""

import numpy as np
from pytrope.choreo import At, Ch, Channel, Role

type Weights = dict[str, np.ndarray]


def init(seed: int) -> Weights:
    rng = np.random.default_rng(seed)
    return {"w": rng.normal(size=(2, 1)), "b": np.zeros(1)}


def local_train(weights: Weights, x: np.ndarray, y: np.ndarray, lr: float = 0.1) -> Weights:
    w, b = weights["w"].copy(), weights["b"].copy()
    for _ in range(10):
        e = x @ w + b - y
        w -= lr * x.T @ e / len(x)
        b -= lr * e.mean(axis=0)
    return {"w": w, "b": b}


def mean(*parts: Weights) -> Weights:
    return {k: np.mean([p[k] for p in parts], axis=0) for k in parts[0]}


def toy(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(8, 2))
    return x, x @ np.array([[1.0], [2.0]])


class FedAvg[S: Role, C1: Role, C2: Role](Ch[S, C1, C2]):
    ROUNDS = 3

    def __init__(self, s1: Channel[Weights, S, C1], s2: Channel[Weights, S, C2]) -> None:
        self.s1 = s1
        self.s2 = s2

    def fit(self, seed1: At[int, C1], seed2: At[int, C2]) -> At[float, S]:
        x1, y1 = toy(seed1)
        x2, y2 = toy(seed2)
        model: At[Weights, S] = init(0)
        for _ in range(self.ROUNDS):
            m1 = self.s1.com(model)
            m2 = self.s2.com(model)
            model = mean(self.s1.com(local_train(m1, x1, y1)), self.s2.com(local_train(m2, x2, y2, lr=0.05)))
        return round(float(np.abs(model["w"]).sum()), 6)


# run: FedAvg.fit C1.seed1=1 C2.seed2=2
