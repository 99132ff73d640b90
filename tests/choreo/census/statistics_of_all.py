"""Mean and variance of private numbers in two rounds, after PyChor."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


class StatisticsOfAll(Ch2[Server, Workers]):
    def __init__(self, star: Star[float, Server, Workers]) -> None:
        self.star = star

    def run(self, value: At[float, Workers]) -> tuple[At[float, Server], At[float, Workers]]:
        mean = self.star.share(sum(self.star.gather(value)) / self.star.count)
        spread = sum(self.star.gather((value - mean) ** 2)) / self.star.count
        return spread, value - mean


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"value": float(rng.randrange(64))} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    values = [one["value"] for one in theirs]
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values), [value - mean for value in values]


# census: StatisticsOfAll.run Server Workers
