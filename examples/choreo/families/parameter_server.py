"""A parameter server with any number of workers: the server says when training is good enough."""

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


LIMIT = 500
RATE = 0.2


def gradient(weights: list[float], shard: list[tuple[float, float]]) -> list[float]:
    slope = sum((weights[0] * x + weights[1] - y) * x for x, y in shard) / len(shard)
    offset = sum(weights[0] * x + weights[1] - y for x, y in shard) / len(shard)
    return [slope, offset]


def mean(gradients: list[list[float]]) -> list[float]:
    return [sum(column) / len(gradients) for column in zip(*gradients, strict=True)]


def step(weights: list[float], direction: list[float]) -> list[float]:
    return [w - RATE * d for w, d in zip(weights, direction, strict=True)]


class ParameterServer(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def fit(
        self, tolerance: At[float, Server], shard: At[list[tuple[float, float]], Workers]
    ) -> tuple[At[list[float], Server], At[int, Workers]]:
        weights: At[list[float], Server] = [0.0, 0.0]
        rounds: At[int, Workers] = 0
        for _ in range(LIMIT):
            direction: At[list[float], Server] = mean(self.star.gather(gradient(self.star.broadcast(weights), shard)))
            weights = step(weights, direction)
            rounds += 1
            done = self.star.share(max(abs(d) for d in direction) < tolerance)
            if done:
                break
        return weights, rounds
