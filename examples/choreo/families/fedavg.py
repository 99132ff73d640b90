"""Federated averaging with any number of clients: data stays with them, the server averages.

Every client has rows of its own number; they and the server agree on the number of features.
"""

import numpy as np
from pytrope.choreo import At, Ch2, Family, Role, Star
from pytrope.hints import Float


class Server(Role): ...


class Clients(Family): ...


ROUNDS = 40
RATE = 0.1


def train(
    weights: Float[np.ndarray, "d"], rows: Float[np.ndarray, "n d"], answers: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "d"]:
    errors = rows @ weights - answers
    return weights - RATE * rows.T @ errors / len(rows)


def average(models: list[Float[np.ndarray, "d"]]) -> Float[np.ndarray, "d"]:
    return np.stack(models).mean(axis=0)


class FedAvg(Ch2[Server, Clients]):
    def __init__(self, star: Star[np.ndarray, Server, Clients]) -> None:
        self.star = star

    def fit(
        self,
        start: At[Float[np.ndarray, "d"], Server],
        rows: At[Float[np.ndarray, "n d"], Clients],
        answers: At[Float[np.ndarray, "n"], Clients],
    ) -> At[Float[np.ndarray, "d"], Server]:
        model: At[Float[np.ndarray, "d"], Server] = start
        for _ in range(ROUNDS):
            local: At[Float[np.ndarray, "d"], Clients] = self.star.broadcast(model)
            model = average(self.star.gather(train(local, rows, answers)))
        return model
