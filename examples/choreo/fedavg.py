"""Federated averaging: three clients train on data that stays with them, a server averages."""

from dataclasses import dataclass

from pytrope.choreo import At, Ch4, Channel, Role

ROUNDS = 20
STEPS = 5
RATE = 0.05


class Server(Role): ...


class Client1(Role): ...


class Client2(Role): ...


class Client3(Role): ...


@dataclass
class Line:
    """The model: y = slope * x + offset."""

    slope: float
    offset: float


@dataclass
class Update:
    """A client's model and how many samples stand behind it."""

    model: Line
    samples: int


def train(model: Line, data: list[tuple[float, float]]) -> Update:
    """A few steps of gradient descent on one client's samples."""
    slope, offset = model.slope, model.offset
    for _ in range(STEPS):
        errors = [(slope * x + offset - y, x) for x, y in data]
        slope -= RATE * sum(error * x for error, x in errors) / len(data)
        offset -= RATE * sum(error for error, _ in errors) / len(data)
    return Update(Line(slope, offset), len(data))


def average(updates: list[Update]) -> Line:
    """The mean of the models, weighted by their samples."""
    total = sum(update.samples for update in updates)
    return Line(
        sum(update.model.slope * update.samples for update in updates) / total,
        sum(update.model.offset * update.samples for update in updates) / total,
    )


class FedAvg(Ch4[Server, Client1, Client2, Client3]):
    """The number of rounds is a constant that every role knows, so it need not be announced."""

    def __init__(
        self,
        to1: Channel[object, Server, Client1],
        to2: Channel[object, Server, Client2],
        to3: Channel[object, Server, Client3],
    ) -> None:
        self.to1 = to1
        self.to2 = to2
        self.to3 = to3

    def fit(
        self,
        data1: At[list[tuple[float, float]], Client1],
        data2: At[list[tuple[float, float]], Client2],
        data3: At[list[tuple[float, float]], Client3],
    ) -> At[Line, Server]:
        model: At[Line, Server] = Line(0.0, 0.0)
        for _ in range(ROUNDS):
            model1: At[Line, Client1] = self.to1.com(model)
            model2: At[Line, Client2] = self.to2.com(model)
            model3: At[Line, Client3] = self.to3.com(model)
            update1: At[Update, Server] = self.to1.com(train(model1, data1))
            update2: At[Update, Server] = self.to2.com(train(model2, data2))
            update3: At[Update, Server] = self.to3.com(train(model3, data3))
            model = average([update1, update2, update3])
        return model
