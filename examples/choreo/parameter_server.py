"""A parameter server with two workers: the server decides when training is good enough."""

from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch, Channel, On, Role

RATE = 0.1
LIMIT = 500


class Go(Enum):
    ON = "on"
    STOP = "stop"


@dataclass
class Gradient:
    """A worker's answer: the gradient over its shard and the loss there."""

    slope: float
    offset: float
    loss: float


def gradient(weights: list[float], shard: list[tuple[float, float]]) -> Gradient:
    slope, offset = weights
    errors = [(slope * x + offset - y, x) for x, y in shard]
    size = len(shard)
    return Gradient(
        sum(error * x for error, x in errors) / size,
        sum(error for error, _ in errors) / size,
        sum(error * error for error, _ in errors) / size,
    )


def step(weights: list[float], first: Gradient, second: Gradient) -> list[float]:
    slope, offset = weights
    return [
        slope - RATE * (first.slope + second.slope) / 2,
        offset - RATE * (first.offset + second.offset) / 2,
    ]


def larger(first: Gradient, second: Gradient) -> float:
    return max(first.loss, second.loss)


class ParameterServer[Server: Role, Worker1: Role, Worker2: Role](Ch[Server, Worker1, Worker2]):
    def __init__(self, to1: Channel[object, Server, Worker1], to2: Channel[object, Server, Worker2]) -> None:
        self.to1 = to1
        self.to2 = to2

    def fit(
        self,
        tolerance: At[float, Server],
        shard1: At[list[tuple[float, float]], Worker1],
        shard2: At[list[tuple[float, float]], Worker2],
    ) -> tuple[At[list[float], Server], At[int, Worker1], At[int, Worker2]]:
        weights: At[list[float], Server] = [0.0, 0.0]
        worst: At[float, Server] = 1e9
        round_number: At[int, Server] = 0
        answered1: At[int, Worker1] = 0
        answered2: At[int, Worker2] = 0
        while worst > tolerance and round_number < LIMIT:
            self.to1.select(Go.ON @ On[Server])
            self.to2.select(Go.ON @ On[Server])
            first: At[Gradient, Server] = self.to1.com(gradient(self.to1.com(weights), shard1))
            second: At[Gradient, Server] = self.to2.com(gradient(self.to2.com(weights), shard2))
            answered1 += 1
            answered2 += 1
            worst = larger(first, second)
            weights = step(weights, first, second)
            round_number += 1
        self.to1.select(Go.STOP @ On[Server])
        self.to2.select(Go.STOP @ On[Server])
        return weights, answered1, answered2
