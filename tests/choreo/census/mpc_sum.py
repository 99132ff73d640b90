"""A sum of secrets by additive shares among all parties, after MultiChor."""

import random
from typing import Any

from pytrope.choreo import At, Ch1, Family, Mesh



class Nodes(Family): ...


MODULUS = 10007


def shares_of(secret: int, seed: int, count: int) -> list[int]:
    source = random.Random(seed)
    shares = [source.randrange(MODULUS) for _ in range(count - 1)]
    return [*shares, (secret - sum(shares)) % MODULUS]


class Sum(Ch1[Nodes]):
    def __init__(self, mesh: Mesh[int, Nodes]) -> None:
        self.mesh = mesh

    def run(self, secret: At[int, Nodes], seed: At[int, Nodes]) -> At[int, Nodes]:
        got = self.mesh.alltoall(shares_of(secret, seed, self.mesh.count))
        parts = self.mesh.allgather(sum(got) % MODULUS)
        return sum(parts) % MODULUS


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"secret": rng.randrange(1000), "seed": rng.randrange(10**6)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    return None, [sum(one["secret"] for one in theirs) % MODULUS] * len(theirs)


# census: Sum.run - Nodes mesh
