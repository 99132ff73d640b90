"""A value that the sender and all receivers have afterwards, by which all of them decide, after ChoRus."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


class Multicast(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def run(self, rounds: At[int, Server], value: At[int, Workers]) -> tuple[At[int, Server], At[int, Workers]]:
        shared = self.star.share(rounds)
        total: At[int, Server] = 0
        for _ in range(shared):
            total += sum(self.star.gather(value))
            value = value + 1
        return total, value


def given(rng: random.Random, count: int) -> Any:
    return {"rounds": rng.randrange(1, 4)}, [{"value": rng.randrange(100)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    rounds = ours["rounds"]
    return sum(one["value"] + turn for one in theirs for turn in range(rounds)), [one["value"] + rounds for one in theirs]


# census: Multicast.run Server Workers
