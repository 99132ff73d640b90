from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Sensor(Role): ...


class Edge(Role): ...


class Cloud(Role): ...


class E(Enum):
    ALERT = 0
    QUIET = 1


class Anomaly(Ch3[Sensor, Edge, Cloud]):
    WINDOW = 3

    def __init__(self, se: Channel[float, Sensor, Edge], ec: Channel[object, Edge, Cloud]) -> None:
        self.se = se
        self.ec = ec
        self.history: At[list[float], Edge] = []
        self.alerts: At[int, Cloud] = 0

    def observe(self, sample: At[float, Sensor]) -> None:
        """One sample; the cloud hears of outliers only."""
        seen = self.se.com(sample)
        mean = sum(self.history) / len(self.history) if self.history else seen
        self.history = [*self.history, seen][-self.WINDOW :]
        if abs(seen - mean) > 5:
            self.ec.select(E.ALERT @ Edge())
            value, context = self.ec.com((seen, tuple(self.history)))
            self.alerts += 1
            print("alert", value, len(context))
        else:
            self.ec.select(E.QUIET @ Edge())

    def run(self, samples: At[list[float], Sensor]) -> At[int, Cloud]:
        for i in range(4):
            self.observe(samples[i])
        return self.alerts


# run: Anomaly.run Sensor.samples="[1.0, 1.5, 20.0, 2.0]"
