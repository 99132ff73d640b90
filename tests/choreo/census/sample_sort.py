"""Numbers sorted in parts and merged, after the parallel sorts of HasChor."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


def cut(numbers: list[int], count: int) -> list[list[int]]:
    return [numbers[at::count] for at in range(count)]


class SampleSort(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def sort(self, numbers: At[list[int], Server]) -> At[list[int], Server]:
        runs = self.star.gather(sorted(self.star.scatter(cut(numbers, self.star.count))))
        merged: At[list[int], Server] = []
        while any(runs):
            smallest = min(run[0] for run in runs if run)
            merged.append(smallest)
            next(run for run in runs if run and run[0] == smallest).pop(0)
        return merged


def given(rng: random.Random, count: int) -> Any:
    return {"numbers": [rng.randrange(50) for _ in range(11)]}, [{}] * count


def expected(ours: Any, theirs: Any) -> Any:
    return sorted(ours["numbers"]), [None] * len(theirs)


# census: SampleSort.sort Server Workers
