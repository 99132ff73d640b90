"""Split learning with any number of clients: each keeps its data and its first layer, the server the second one.

Only activations and their gradients travel, never the data.
"""

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Clients(Family): ...


EPOCHS = 200
RATE = 0.2


def activate(layer: list[float], inputs: list[list[float]]) -> list[float]:
    return [sum(w * x for w, x in zip(layer, row, strict=True)) for row in inputs]


def learn_layer(layer: list[float], inputs: list[list[float]], gradients: list[float]) -> list[float]:
    steps = [
        sum(g * row[at] for g, row in zip(gradients, inputs, strict=True)) / len(inputs) for at in range(len(layer))
    ]
    return [w - RATE * s for w, s in zip(layer, steps, strict=True)]


def answer(head: float, activations: list[list[float]], labels: list[list[float]]) -> list[list[float]]:
    return [
        [(head * a - y) * head for a, y in zip(mine, theirs, strict=True)]
        for mine, theirs in zip(activations, labels, strict=True)
    ]


def learn_head(head: float, activations: list[list[float]], labels: list[list[float]]) -> float:
    pairs = [
        (a, y) for mine, theirs in zip(activations, labels, strict=True) for a, y in zip(mine, theirs, strict=True)
    ]
    return head - RATE * sum((head * a - y) * a for a, y in pairs) / len(pairs)


class SplitLearning(Ch2[Server, Clients]):
    def __init__(self, star: Star[object, Server, Clients]) -> None:
        self.star = star

    def fit(
        self, layer: At[list[float], Clients], inputs: At[list[list[float]], Clients], labels: At[list[float], Clients]
    ) -> tuple[At[float, Server], At[list[float], Clients]]:
        head: At[float, Server] = 1.0
        known: At[list[list[float]], Server] = self.star.gather(labels)
        for _ in range(EPOCHS):
            activations: At[list[list[float]], Server] = self.star.gather(activate(layer, inputs))
            back = self.star.scatter(answer(head, activations, known))
            head = learn_head(head, activations, known)
            layer = learn_layer(layer, inputs, back)
        return head, layer
