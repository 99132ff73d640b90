from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class M(Enum):
    LOWER = 1
    HIGHER = 2
    FOUND = 3


class Guess(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def play(self, secret: At[int, A]) -> At[int, B]:
        low: At[int, B] = 0
        high: At[int, B] = 100
        tries: At[int, B] = 0
        while True:
            guess: At[int, A] = self.ch.com((low + high) // 2)
            tries += 1
            if guess == secret:
                self.ch.select(M.FOUND @ A())
                return tries
            elif guess < secret:
                self.ch.select(M.HIGHER @ A())
                low = (low + high) // 2 + 1
            else:
                self.ch.select(M.LOWER @ A())
                high = (low + high) // 2


# run: Guess.play A.secret=30
