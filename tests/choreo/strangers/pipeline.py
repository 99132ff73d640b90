from enum import Enum

from pytrope.choreo import At, Ch3, DiChannel, Role


class Sensor(Role): ...


class Filter(Role): ...


class Store(Role): ...


class Flow(Enum):
    ITEM = 1
    DROP = 2
    END = 3


class Pipeline(Ch3[Sensor, Filter, Store]):
    def __init__(self, sf: DiChannel[float, Sensor, Filter], fs: DiChannel[float, Filter, Store]) -> None:
        self.sf = sf
        self.fs = fs
        self.kept: At[list[float], Store] = []

    def run(self, samples: At[list[float], Sensor], limit: At[float, Filter]) -> At[list[float], Store]:
        while len(samples) > 0:
            self.sf.select(Flow.ITEM @ Sensor())
            value, *samples = samples
            seen = self.sf.com(value)
            if seen < limit:
                self.fs.select(Flow.ITEM @ Filter())
                self.kept.append(self.fs.com(seen))
            else:
                self.fs.select(Flow.DROP @ Filter())
        self.sf.select(Flow.END @ Sensor())
        self.fs.select(Flow.END @ Filter())
        return self.kept


# run: Pipeline.run Sensor.samples="[1.0, 9.0, 2.0]" Filter.limit=5.0
