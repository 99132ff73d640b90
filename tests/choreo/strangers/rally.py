from enum import Enum

from pytrope.choreo import *


class A(Role): ...


class B(Role): ...


class L(Enum):
    NEXT = 1
    DONE = 2


class PP(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def rally(self, n: At[int, A]) -> tuple[At[int, A], At[int, B]]:
        hits: At[int, B] = 0
        score: At[int, A] = 0
        while n > 0:
            self.ch.select(L.NEXT @ A())
            n -= 1
            ball = self.ch.com(n)
            hits += 1
            score = score + self.ch.com(ball * 2)
        self.ch.select(L.DONE @ A())
        return score, hits


# run: PP.rally A.n=5
