"""A server leads a game in rounds until a worker has guessed its number, after Chorex."""

import random
from enum import Enum
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


class Game(Enum):
    MORE = 1
    OVER = 2


class GuessingRounds(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def play(self, secret: At[int, Server], step: At[int, Workers]) -> tuple[At[int, Server], At[int, Workers]]:
        rounds: At[int, Server] = 0
        found: At[bool, Server] = False
        guess: At[int, Workers] = 0
        while not found and rounds < 20:
            self.star.select(Game.MORE @ Server())
            guess += step
            guesses = self.star.gather(guess)
            rounds += 1
            found = any(one >= secret for one in guesses)
        self.star.select(Game.OVER @ Server())
        return rounds, guess


def given(rng: random.Random, count: int) -> Any:
    return {"secret": 11}, [{"step": rng.randrange(1, 4)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    rounds = 0
    while rounds < 20 and not any(one["step"] * rounds >= 11 for one in theirs if rounds):
        rounds += 1
    return rounds, [one["step"] * rounds for one in theirs]


# census: GuessingRounds.play Server Workers
