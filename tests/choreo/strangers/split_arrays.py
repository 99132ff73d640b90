"""Split learning with NumPy payloads."""

import numpy as np
from numpy.typing import NDArray
from pytrope.choreo import At, Ch2, Channel, Role


class Client(Role): ...


class Server(Role): ...


Matrix = NDArray[np.float64]


def relu(z: Matrix) -> Matrix:
    return np.maximum(z, 0)


class Split(Ch2[Client, Server]):
    lr = 0.1

    def __init__(self, ch: Channel[Matrix, Client, Server]) -> None:
        self.ch = ch
        self.w1: At[Matrix, Client] = np.ones((3, 4)) * 0.5
        self.w2: At[Matrix, Server] = np.ones((4, 1)) * 0.25

    def step(self, x: At[Matrix, Client], y: At[Matrix, Server]) -> At[float, Server]:
        # forward
        z: At[Matrix, Client] = x @ self.w1
        h: At[Matrix, Server] = self.ch.com(relu(z))
        out = h @ self.w2
        loss = float(((out - y) ** 2).mean())
        # backward
        g_out = 2 * (out - y) / len(y)
        g_h: At[Matrix, Client] = self.ch.com(g_out @ self.w2.T)
        self.w2 -= self.lr * h.T @ g_out
        self.w1 = self.w1 - self.lr * x.T @ (g_h * (z > 0))
        return loss

    def train(self, x: At[Matrix, Client], y: At[Matrix, Server], epochs: int = 5) -> At[list[float], Server]:
        losses: At[list[float], Server] = []
        for epoch in range(epochs):
            losses.append(self.step(x, y))
        return losses

    def demo(self, rows: At[int, Client], target: At[float, Server]) -> At[list[float], Server]:
        return self.train(np.arange(3.0 * rows).reshape(rows, 3), np.full((2, 1), target))


# run: Split.demo Client.rows=2 Server.target=1.0
