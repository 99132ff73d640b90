"""A parameter server with any number of workers: the server says when training is good enough."""

import numpy as np
from pytrope.choreo import At, Ch2, Family, Role, Star
from pytrope.hints import Float


class Server(Role): ...


class Workers(Family): ...


LIMIT = 500
RATE = 0.2


def gradient(
    weights: Float[np.ndarray, "d"], rows: Float[np.ndarray, "n d"], answers: Float[np.ndarray, "n"]
) -> Float[np.ndarray, "d"]:
    return rows.T @ (rows @ weights - answers) / len(rows)


def mean(gradients: list[Float[np.ndarray, "d"]]) -> Float[np.ndarray, "d"]:
    return np.stack(gradients).mean(axis=0)


class ParameterServer(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def fit(
        self,
        start: At[Float[np.ndarray, "d"], Server],
        tolerance: At[float, Server],
        rows: At[Float[np.ndarray, "n d"], Workers],
        answers: At[Float[np.ndarray, "n"], Workers],
    ) -> tuple[At[Float[np.ndarray, "d"], Server], At[int, Workers]]:
        weights: At[Float[np.ndarray, "d"], Server] = start
        rounds: At[int, Workers] = 0
        for _ in range(LIMIT):
            current: At[Float[np.ndarray, "d"], Workers] = self.star.broadcast(weights)
            direction: At[Float[np.ndarray, "d"], Server] = mean(self.star.gather(gradient(current, rows, answers)))
            weights = weights - RATE * direction
            rounds += 1
            done = self.star.share(bool(np.abs(direction).max() < tolerance))
            if done:
                break
        return weights, rounds
