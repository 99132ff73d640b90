"""Each worker gets its own part of a list, after ChoRus."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


class FanOut(Ch2[Server, Workers]):
    def __init__(self, star: Star[int, Server, Workers]) -> None:
        self.star = star

    def run(self, start: At[int, Server]) -> tuple[At[int, Server], At[int, Workers]]:
        mine = self.star.scatter([start + at for at in range(self.star.count)])
        return start, mine + 1


def given(rng: random.Random, count: int) -> Any:
    return {"start": rng.randrange(100)}, [{} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    return ours["start"], [ours["start"] + at + 1 for at in range(len(theirs))]


# census: FanOut.run Server Workers
