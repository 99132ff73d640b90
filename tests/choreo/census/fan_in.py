"""Numbers of all workers are brought to one role, after ChoRus."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


class FanIn(Ch2[Server, Workers]):
    def __init__(self, star: Star[int, Server, Workers]) -> None:
        self.star = star

    def run(self, value: At[int, Workers]) -> At[list[int], Server]:
        return self.star.gather(value * 2)


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"value": rng.randrange(100)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    return [one["value"] * 2 for one in theirs], [None] * len(theirs)


# census: FanIn.run Server Workers
