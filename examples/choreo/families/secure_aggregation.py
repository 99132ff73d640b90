"""Secure aggregation with any number of clients: the server learns the sum of their vectors and nothing about each.

Every pair of clients shares a seed: the lower rank adds the mask that grows from it, the higher one takes it away.
"""

import random

import numpy as np
from pytrope.choreo import At, Ch2, Family, Mesh, Role, Star
from pytrope.hints import Int


class Server(Role): ...


class Clients(Family): ...


MODULUS = 2**31


def seeds_for(secret: int, count: int) -> list[int]:
    source = random.Random(secret)
    return [source.randrange(MODULUS) for _ in range(count)]


def masked(vector: Int[np.ndarray, "d"], rank: int, mine: list[int], theirs: list[int]) -> Int[np.ndarray, "d"]:
    total = vector.copy()
    for other, seed in enumerate(theirs):
        if other == rank:
            continue
        source = np.random.default_rng(mine[other] if rank < other else seed)
        sign = 1 if rank < other else -1
        total = (total + sign * source.integers(MODULUS, size=len(vector))) % MODULUS
    return total


def add_up(vectors: list[Int[np.ndarray, "d"]]) -> Int[np.ndarray, "d"]:
    return np.stack(vectors).sum(axis=0) % MODULUS


class SecureAggregation(Ch2[Server, Clients]):
    def __init__(self, star: Star[np.ndarray, Server, Clients], mesh: Mesh[int, Clients]) -> None:
        self.star = star
        self.mesh = mesh

    def total(
        self, length: At[int, Server], vector: At[Int[np.ndarray, "d"], Clients], secret: At[int, Clients]
    ) -> tuple[At[Int[np.ndarray, "d"], Server], At[int, Clients]]:
        mine = seeds_for(secret, self.mesh.count)
        theirs = self.mesh.alltoall(mine)
        vectors = self.star.gather(masked(vector, self.mesh.rank, mine, theirs))
        return add_up(vectors)[:length], len(vector)
