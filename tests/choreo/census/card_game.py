"""The card game of ChoRus and MultiChor: a dealer deals, players ask for another card, one card is on the table for all."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


class CardGame(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def play(self, deck: At[list[int], Server]) -> tuple[At[list[bool], Server], At[bool, Workers]]:
        first = self.star.scatter(deck[: self.star.count])
        wants = self.star.gather(first < 10)
        second = self.star.scatter([deck[self.star.count + at] if wants[at] else 0 for at in range(self.star.count)])
        table = self.star.broadcast(deck[-1])
        won = (first + second + table) % 21 > 10
        return self.star.gather(won), won


def given(rng: random.Random, count: int) -> Any:
    return {"deck": [rng.randrange(1, 21) for _ in range(2 * count + 1)]}, [{} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    deck, count = ours["deck"], len(theirs)
    hands = [deck[at] + (deck[count + at] if deck[at] < 10 else 0) for at in range(count)]
    won = [(hand + deck[-1]) % 21 > 10 for hand in hands]
    return won, won


# census: CardGame.play Server Workers
