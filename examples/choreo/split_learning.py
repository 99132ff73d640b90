"""Split learning: the client keeps the data and the first layer, the server the second.

Only activations and their gradients travel, never the data.
"""

import math
from dataclasses import dataclass

from pytrope.choreo import At, Ch2, Channel, Role

EPOCHS = 200
RATE = 0.5


class Client(Role): ...


class Server(Role): ...


@dataclass
class Layer:
    """Two inputs to two hidden units: a row of weights and an offset per unit."""

    weights: list[list[float]]
    offsets: list[float]


@dataclass
class Head:
    """Two hidden units to one answer."""

    weights: list[float]
    offset: float


@dataclass
class Batch:
    """What crosses the cut: hidden activations with the answers that belong to them."""

    hidden: list[list[float]]
    labels: list[float]


def first_layer() -> Layer:
    return Layer([[0.9, -0.6], [-0.7, 0.8]], [0.1, -0.1])


def first_head() -> Head:
    return Head([0.5, -0.4], 0.0)


def forward(layer: Layer, inputs: list[list[float]], labels: list[float]) -> Batch:
    hidden = [
        [
            math.tanh(sum(w * x for w, x in zip(row, point, strict=True)) + offset)
            for row, offset in zip(layer.weights, layer.offsets, strict=True)
        ]
        for point in inputs
    ]
    return Batch(hidden, labels)


def answer(head: Head, hidden: list[float]) -> float:
    return 1 / (1 + math.exp(-sum(w * h for w, h in zip(head.weights, hidden, strict=True)) - head.offset))


def gradients(head: Head, batch: Batch) -> list[list[float]]:
    """How the loss changes with each hidden activation."""
    errors = [answer(head, h) - y for h, y in zip(batch.hidden, batch.labels, strict=True)]
    return [[error * w for w in head.weights] for error in errors]


def improved_head(head: Head, batch: Batch) -> Head:
    size = len(batch.labels)
    errors = [answer(head, h) - y for h, y in zip(batch.hidden, batch.labels, strict=True)]
    weights = [
        w - RATE * sum(e * h[unit] for e, h in zip(errors, batch.hidden, strict=True)) / size
        for unit, w in enumerate(head.weights)
    ]
    return Head(weights, head.offset - RATE * sum(errors) / size)


def improved_layer(layer: Layer, inputs: list[list[float]], batch: Batch, back: list[list[float]]) -> Layer:
    size = len(inputs)
    weights: list[list[float]] = []
    offsets: list[float] = []
    for unit, (row, offset) in enumerate(zip(layer.weights, layer.offsets, strict=True)):
        deltas = [g[unit] * (1 - h[unit] ** 2) for g, h in zip(back, batch.hidden, strict=True)]
        weights.append(
            [
                w - RATE * sum(d * point[column] for d, point in zip(deltas, inputs, strict=True)) / size
                for column, w in enumerate(row)
            ]
        )
        offsets.append(offset - RATE * sum(deltas) / size)
    return Layer(weights, offsets)


def loss(head: Head, batch: Batch) -> float:
    pairs = [(answer(head, h), y) for h, y in zip(batch.hidden, batch.labels, strict=True)]
    return -sum(y * math.log(p) + (1 - y) * math.log(1 - p) for p, y in pairs) / len(pairs)


class SplitLearning(Ch2[Client, Server]):
    def __init__(self, channel: Channel[object, Client, Server]) -> None:
        self.channel = channel

    def fit(
        self, inputs: At[list[list[float]], Client], labels: At[list[float], Client]
    ) -> tuple[At[Layer, Client], At[float, Server]]:
        layer: At[Layer, Client] = first_layer()
        head: At[Head, Server] = first_head()
        for _ in range(EPOCHS):
            batch: At[Batch, Client] = forward(layer, inputs, labels)
            received: At[Batch, Server] = self.channel.com(batch)
            back: At[list[list[float]], Client] = self.channel.com(gradients(head, received))
            head = improved_head(head, received)
            layer = improved_layer(layer, inputs, batch, back)
        last: At[Batch, Server] = self.channel.com(forward(layer, inputs, labels))
        return layer, loss(head, last)
