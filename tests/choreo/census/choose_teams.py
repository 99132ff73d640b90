"""Players are divided into two teams by the order of their ranks, after MultiChor."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


class ChooseTeams(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def run(self, strength: At[int, Workers]) -> tuple[At[tuple[int, int], Server], At[str, Workers]]:
        known = self.star.gather(strength)
        mine = self.star.scatter(["red" if at % 2 == 0 else "blue" for at in range(self.star.count)])
        return (sum(known[::2]), sum(known[1::2])), mine


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"strength": rng.randrange(10)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    known = [one["strength"] for one in theirs]
    teams = ["red" if at % 2 == 0 else "blue" for at in range(len(theirs))]
    return (sum(known[::2]), sum(known[1::2])), teams


# census: ChooseTeams.run Server Workers
