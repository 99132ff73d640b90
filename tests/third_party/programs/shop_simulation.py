"""A discrete-event simulation with dataclasses, protocols, inheritance, and statistics at the end."""
import heapq
import itertools
import random
import statistics
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(order=True)
class Event:
    time: float
    serial: int
    action: Any = field(compare=False)
    args: tuple = field(compare=False, default=())
    cancelled: bool = field(compare=False, default=False)


class Simulator:
    def __init__(self):
        self.now = 0.0
        self._queue = []
        self._serial = itertools.count()

    def schedule(self, delay, action, *args):
        event = Event(self.now + delay, next(self._serial), action, args)
        heapq.heappush(self._queue, event)
        return event

    def run(self, until):
        handled = 0
        while self._queue and self._queue[0].time <= until:
            event = heapq.heappop(self._queue)
            if event.cancelled:
                continue
            self.now = event.time
            event.action(*event.args)
            handled += 1
        self.now = until
        return handled


class Distribution(Protocol):
    def sample(self, rng: random.Random) -> float: ...


@dataclass(frozen=True)
class Exponential:
    mean: float

    def sample(self, rng):
        return rng.expovariate(1 / self.mean)


@dataclass(frozen=True)
class Uniform:
    low: float
    high: float

    def sample(self, rng):
        return rng.uniform(self.low, self.high)


class Customer:
    ids = itertools.count(1)

    def __init__(self, arrived, patience):
        self.id = next(self.ids)
        self.arrived = arrived
        self.patience = patience
        self.started = None
        self.left = None
        self.leaving = None

    @property
    def waited(self):
        if self.started is None:
            return None
        return self.started - self.arrived

    def __repr__(self):
        return f"<{type(self).__name__} {self.id}>"


class VIP(Customer):
    def __init__(self, arrived, patience, level=1):
        super().__init__(arrived, patience * 2)
        self.level = level


class Line(ABC):
    @abstractmethod
    def push(self, customer): ...

    @abstractmethod
    def pop(self): ...

    @abstractmethod
    def __len__(self): ...


class Fifo(Line):
    def __init__(self):
        self._items = deque()

    def push(self, customer):
        self._items.append(customer)

    def pop(self):
        return self._items.popleft()

    def remove(self, customer):
        self._items.remove(customer)

    def __len__(self):
        return len(self._items)


class PriorityLine(Fifo):
    def pop(self):
        best = max(self._items, key=lambda c: (getattr(c, "level", 0), -c.id))
        self._items.remove(best)
        return best


class Shop:
    def __init__(self, sim, clerks, line, arrivals, service, rng):
        self.sim, self.line, self.rng = sim, line, rng
        self.free = clerks
        self.arrivals, self.service = arrivals, service
        self.served, self.lost = [], []
        self.length_log = [(0.0, 0)]
        sim.schedule(arrivals.sample(rng), self.arrive)

    def _log(self):
        self.length_log.append((self.sim.now, len(self.line)))

    def arrive(self):
        patience = self.rng.uniform(5, 15)
        if self.rng.random() < 0.2:
            customer = VIP(self.sim.now, patience, level=self.rng.choice([1, 2]))
        else:
            customer = Customer(self.sim.now, patience)
        self.line.push(customer)
        customer.leaving = self.sim.schedule(customer.patience, self.give_up, customer)
        self._log()
        self.start()
        self.sim.schedule(self.arrivals.sample(self.rng), self.arrive)

    def start(self):
        while self.free and len(self.line):
            customer = self.line.pop()
            customer.leaving.cancelled = True
            customer.started = self.sim.now
            self.free -= 1
            self.sim.schedule(self.service.sample(self.rng), self.finish, customer)
            self._log()

    def finish(self, customer):
        customer.left = self.sim.now
        self.served.append(customer)
        self.free += 1
        self.start()

    def give_up(self, customer):
        self.line.remove(customer)
        self.lost.append(customer)
        self._log()

    def report(self):
        waits = [c.waited for c in self.served]
        area = sum(n * (t2 - t1) for (t1, n), (t2, _) in zip(self.length_log, self.length_log[1:]))
        vip = [c.waited for c in self.served if isinstance(c, VIP)]
        return {
            "served": len(self.served),
            "lost": len(self.lost),
            "wait": statistics.fmean(waits) if waits else None,
            "p90": statistics.quantiles(waits, n=10)[-1] if len(waits) > 1 else None,
            "queue": area / self.sim.now,
            "vip": statistics.fmean(vip) if vip else float("nan"),
        }


def experiment(line_type, clerks, seed):
    rng = random.Random(seed)
    sim = Simulator()
    shop = Shop(sim, clerks, line_type(), Exponential(1.0), Uniform(1.0, 3.0), rng)
    handled = sim.run(until=300)
    return handled, shop.report()


rows = []
for line_type, clerks in itertools.product((Fifo, PriorityLine), (2, 3)):
    reports = [experiment(line_type, clerks, seed)[1] for seed in range(3)]
    mean = {k: statistics.fmean(r[k] for r in reports) for k in reports[0]}
    rows.append((line_type.__name__, clerks, mean))
for name, clerks, mean in rows:
    print(f"{name:<13}{clerks}  " + "  ".join(f"{k} {v:.2f}" for k, v in mean.items()))
assert rows[0][2]["lost"] >= rows[1][2]["lost"]
assert Customer(0.0, 1).waited is None and isinstance(VIP(0, 1), Customer)
try:
    Line()
except TypeError as e:
    print("abstract:", str(e).split(" ")[0])
