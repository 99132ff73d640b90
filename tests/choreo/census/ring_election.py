"""The process with the greatest number is elected round a ring, after Chang and Roberts."""

import random
from typing import Any

from pytrope.choreo import At, Ch1, Family, Mesh


class Ring(Family): ...


class RingElection(Ch1[Ring]):
    def __init__(self, mesh: Mesh[int, Ring]) -> None:
        self.mesh = mesh

    def elect(self, number: At[int, Ring]) -> At[bool, Ring]:
        best = number
        for _ in range(4):
            best = max(best, self.mesh.shift(best))
        return best == number


def given(rng: random.Random, count: int) -> Any:
    numbers = rng.sample(range(100), count)
    return {}, [{"number": number} for number in numbers]


def expected(ours: Any, theirs: Any) -> Any:
    best = max(one["number"] for one in theirs)
    return None, [one["number"] == best for one in theirs]


# census: RingElection.elect - Ring mesh
