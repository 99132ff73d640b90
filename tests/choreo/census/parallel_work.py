"""All members work at the same time on their own part, after ChoRus."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


def primes_below(limit: int) -> int:
    return sum(all(n % d for d in range(2, n)) for n in range(2, limit))


class Parallel(Ch2[Server, Workers]):
    def __init__(self, star: Star[int, Server, Workers]) -> None:
        self.star = star

    def run(self, limits: At[list[int], Server]) -> tuple[At[int, Server], At[int, Workers]]:
        mine = self.star.scatter(limits[: self.star.count])
        found = primes_below(mine)
        return max(self.star.gather(found)), found


def given(rng: random.Random, count: int) -> Any:
    return {"limits": [rng.randrange(5, 60) for _ in range(4)]}, [{} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    found = [primes_below(limit) for limit in ours["limits"][: len(theirs)]]
    return max(found), found


# census: Parallel.run Server Workers
