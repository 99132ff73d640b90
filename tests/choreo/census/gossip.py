"""Everybody tells the next what it has heard until all know all, after the gossip of ChoRus."""

import random
from typing import Any

from pytrope.choreo import At, Ch1, Family, Mesh


class People(Family): ...


class Gossip(Ch1[People]):
    def __init__(self, mesh: Mesh[list[str], People]) -> None:
        self.mesh = mesh

    def spread(self, rumour: At[str, People]) -> At[list[str], People]:
        heard: At[list[str], People] = [rumour]
        for _ in range(4):
            told = self.mesh.shift(heard)
            heard = sorted(set(heard) | set(told))
        return heard


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"rumour": f"r{rng.randrange(100)}"} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    return None, [sorted({one["rumour"] for one in theirs})] * len(theirs)


# census: Gossip.spread - People mesh
