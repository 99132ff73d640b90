"""A sealed-bid auction: the second price is paid, and losers learn only that they lost; after choreography-ts."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


def second(bids: list[int]) -> int:
    return sorted(bids)[-2] if len(bids) > 1 else bids[0]


def outcomes(bids: list[int]) -> list[int]:
    winner = bids.index(max(bids))
    return [second(bids) if rank == winner else 0 for rank in range(len(bids))]


class Auction(Ch2[Server, Workers]):
    def __init__(self, star: Star[int, Server, Workers]) -> None:
        self.star = star

    def sell(self, bid: At[int, Workers]) -> tuple[At[int, Server], At[int, Workers]]:
        bids = self.star.gather(bid)
        paid = self.star.scatter(outcomes(bids))
        return second(bids), paid


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"bid": rng.randrange(100)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    bids = [one["bid"] for one in theirs]
    return second(bids), outcomes(bids)


# census: Auction.sell Server Workers
