from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class P(Enum):
    MORE = 1
    STOP = 2


class Mutual(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def even(self, n: At[int, A]) -> At[bool, B]:
        if n == 0:
            self.ch.select(P.STOP @ A())
            return True
        self.ch.select(P.MORE @ A())
        return self.odd(n - 1)

    def odd(self, n: At[int, A]) -> At[bool, B]:
        if n == 0:
            self.ch.select(P.STOP @ A())
            return False
        self.ch.select(P.MORE @ A())
        return self.even(n - 1)


# run: Mutual.even A.n=5
