"""A lottery nobody can steer: tickets are committed to before they are opened, after MultiChor."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


def commit(ticket: int, salt: int) -> int:
    return (ticket * 7919 + salt * 104729) % 1000003


def is_honest(commitments: list[int], opened: list[tuple[int, int]]) -> bool:
    return all(commit(*one) == told for told, one in zip(commitments, opened))


class Lottery(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def draw(self, ticket: At[int, Workers], salt: At[int, Workers]) -> tuple[At[int, Server], At[bool, Workers]]:
        commitments = self.star.gather(commit(ticket, salt))
        self.star.broadcast(len(commitments))
        opened = self.star.gather((ticket, salt))
        honest = self.star.share(is_honest(commitments, opened))
        if honest:
            winner = self.star.share(sum(number for number, _ in opened) % self.star.count)
        else:
            winner = self.star.share(-1 @ Server())
        return winner @ Server(), self.star.rank == winner


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"ticket": rng.randrange(100), "salt": rng.randrange(100)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    winner = sum(one["ticket"] for one in theirs) % len(theirs)
    return winner, [rank == winner for rank in range(len(theirs))]


# census: Lottery.draw Server Workers
