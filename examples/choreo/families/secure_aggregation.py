"""Secure aggregation with any number of clients: the server learns the sum of their vectors and nothing about each.

Every pair of clients shares a seed: the lower rank adds the mask that grows from it, the higher one takes it away.
"""

import random

from pytrope.choreo import At, Ch2, Family, Mesh, Role, Star


class Server(Role): ...


class Clients(Family): ...


MODULUS = 2**31


def seeds_for(secret: int, count: int) -> list[int]:
    source = random.Random(secret)
    return [source.randrange(MODULUS) for _ in range(count)]


def masked(vector: list[int], rank: int, mine: list[int], theirs: list[int]) -> list[int]:
    total = list(vector)
    for other, seed in enumerate(theirs):
        if other == rank:
            continue
        mask = random.Random(mine[other] if rank < other else seed)
        sign = 1 if rank < other else -1
        total = [(value + sign * mask.randrange(MODULUS)) % MODULUS for value in total]
    return total


def add_up(vectors: list[list[int]]) -> list[int]:
    return [sum(column) % MODULUS for column in zip(*vectors, strict=True)]


class SecureAggregation(Ch2[Server, Clients]):
    def __init__(self, star: Star[list[int], Server, Clients], mesh: Mesh[int, Clients]) -> None:
        self.star = star
        self.mesh = mesh

    def total(self, vector: At[list[int], Clients], secret: At[int, Clients]) -> At[list[int], Server]:
        mine = seeds_for(secret, self.mesh.count)
        theirs = self.mesh.alltoall(mine)
        return add_up(self.star.gather(masked(vector, self.mesh.rank, mine, theirs)))
