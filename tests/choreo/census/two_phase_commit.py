"""Two-phase commit: all commit if all are prepared, after the example of Choral."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


class TwoPhaseCommit(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def commit(self, change: At[int, Server], limit: At[int, Workers]) -> tuple[At[str, Server], At[int, Workers]]:
        proposed = self.star.broadcast(change)
        votes = self.star.gather(proposed <= limit)
        agreed = self.star.share(all(votes))
        if agreed:
            answer: At[str, Server] = "committed"
            kept: At[int, Workers] = proposed
        else:
            answer = "aborted"
            kept = 0
        return answer, kept


def given(rng: random.Random, count: int) -> Any:
    return {"change": 5}, [{"limit": rng.randrange(4, 9)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    agreed = all(5 <= one["limit"] for one in theirs)
    return "committed" if agreed else "aborted", [5 if agreed else 0] * len(theirs)


# census: TwoPhaseCommit.commit Server Workers
