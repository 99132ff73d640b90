"""Federated averaging with any number of clients: data stays with them, the server averages."""

from dataclasses import dataclass

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Clients(Family): ...


ROUNDS = 40
RATE = 0.1


@dataclass
class Line:
    slope: float
    offset: float


def train(model: Line, data: list[tuple[float, float]]) -> Line:
    slope, offset = model.slope, model.offset
    for x, y in data:
        error = slope * x + offset - y
        slope -= RATE * error * x
        offset -= RATE * error
    return Line(slope, offset)


def average(models: list[Line]) -> Line:
    n = len(models)
    return Line(sum(m.slope for m in models) / n, sum(m.offset for m in models) / n)


class FedAvg(Ch2[Server, Clients]):
    def __init__(self, star: Star[Line, Server, Clients]) -> None:
        self.star = star

    def fit(self, data: At[list[tuple[float, float]], Clients]) -> At[Line, Server]:
        model: At[Line, Server] = Line(0.0, 0.0)
        for _ in range(ROUNDS):
            local = self.star.broadcast(model)
            model = average(self.star.gather(train(local, data)))
        return model
