"""Split learning with any number of clients: each keeps its data and its first layer, the server the second one.

Only activations and their gradients travel, never the data. Clients have rows of their own number and features of
their own; the width of the cut is the server's.
"""

import numpy as np
from pytrope.choreo import At, Ch2, Family, Role, Star
from pytrope.hints import Float


class Server(Role): ...


class Clients(Family): ...


EPOCHS = 200
RATE = 0.2


def learn_layer(
    layer: Float[np.ndarray, "d h"], inputs: Float[np.ndarray, "n d"], gradients: Float[np.ndarray, "n h"]
) -> Float[np.ndarray, "d h"]:
    return layer - RATE * inputs.T @ gradients / len(inputs)


def answer(
    head: Float[np.ndarray, "h"], activations: list[Float[np.ndarray, "_ h"]], labels: list[Float[np.ndarray, "_"]]
) -> list[Float[np.ndarray, "_ h"]]:
    return [np.outer(mine @ head - theirs, head) for mine, theirs in zip(activations, labels, strict=True)]


def learn_head(
    head: Float[np.ndarray, "h"], activations: list[Float[np.ndarray, "_ h"]], labels: list[Float[np.ndarray, "_"]]
) -> Float[np.ndarray, "h"]:
    rows, answers = np.concatenate(activations), np.concatenate(labels)
    return head - RATE * rows.T @ (rows @ head - answers) / len(answers)


class SplitLearning(Ch2[Server, Clients]):
    def __init__(self, star: Star[object, Server, Clients]) -> None:
        self.star = star

    def fit(
        self,
        start: At[Float[np.ndarray, "h"], Server],
        layer: At[Float[np.ndarray, "d h"], Clients],
        inputs: At[Float[np.ndarray, "n d"], Clients],
        labels: At[Float[np.ndarray, "n"], Clients],
    ) -> tuple[At[Float[np.ndarray, "h"], Server], At[Float[np.ndarray, "d h"], Clients]]:
        head: At[Float[np.ndarray, "h"], Server] = start
        known: At[list[Float[np.ndarray, "_"]], Server] = self.star.gather(labels)
        for _ in range(EPOCHS):
            activations: At[list[Float[np.ndarray, "_ h"]], Server] = self.star.gather(inputs @ layer)
            back: At[Float[np.ndarray, "n h"], Clients] = self.star.scatter(answer(head, activations, known))
            head = learn_head(head, activations, known)
            layer = learn_layer(layer, inputs, back)
        return head, layer
