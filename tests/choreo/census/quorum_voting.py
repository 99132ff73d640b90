"""A proposal is taken if a majority votes for it; all learn the outcome; after HasChor."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


class Quorum(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def decide(self, proposal: At[int, Server], limit: At[int, Workers]) -> tuple[At[str, Server], At[str, Workers]]:
        votes = self.star.gather(self.star.broadcast(proposal) < limit)
        taken = self.star.share(sum(votes) * 2 > len(votes))
        outcome = "taken" if taken else "refused"
        return outcome, outcome


def given(rng: random.Random, count: int) -> Any:
    return {"proposal": 5}, [{"limit": rng.randrange(10)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    votes = [5 < one["limit"] for one in theirs]
    outcome = "taken" if sum(votes) * 2 > len(votes) else "refused"
    return outcome, [outcome] * len(theirs)


# census: Quorum.decide Server Workers
