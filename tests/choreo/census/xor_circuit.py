"""A sum modulo two of private bits, each split into shares, after the GMW example of MultiChor."""

import random
from typing import Any

from pytrope.choreo import At, Ch1, Family, Mesh


class Parties(Family): ...


def split(bit: int, count: int, seed: int) -> list[int]:
    rng = random.Random(seed)
    shares = [rng.randrange(2) for _ in range(count - 1)]
    return [*shares, (bit + sum(shares)) % 2]


class XorCircuit(Ch1[Parties]):
    def __init__(self, mesh: Mesh[object, Parties]) -> None:
        self.mesh = mesh

    def run(self, bit: At[int, Parties], seed: At[int, Parties]) -> At[int, Parties]:
        mine = self.mesh.alltoall(split(bit, self.mesh.count, seed))
        opened = self.mesh.allgather(sum(mine) % 2)
        return sum(opened) % 2


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"bit": rng.randrange(2), "seed": rng.randrange(99)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    return None, [sum(one["bit"] for one in theirs) % 2] * len(theirs)


# census: XorCircuit.run - Parties mesh
