from enum import Enum

from pytrope.choreo import At, Ch4, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class D(Role): ...


class L(Enum):
    LEFT = 0
    RIGHT = 1
    UP = 2
    DOWN = 3


class Nest(Ch4[A, B, C, D]):
    def __init__(
        self, ab: Channel[int, A, B], bc: Channel[int, B, C], cd: Channel[int, C, D], ad: Channel[int, A, D]
    ) -> None:
        self.ab = ab
        self.bc = bc
        self.cd = cd
        self.ad = ad

    def go(self, x: At[int, A], y: At[int, B]) -> At[int, D]:
        if x > 10:
            self.ab.select(L.LEFT @ A())
            self.ad.select(L.LEFT @ A())
            if y > 10:
                self.ab.select(L.UP @ B())
                self.bc.select(L.UP @ B())
                self.cd.select(L.UP @ C())
                r = self.cd.com(self.bc.com(self.ab.com(x) + y))
            else:
                self.ab.select(L.DOWN @ B())
                self.bc.select(L.DOWN @ B())
                self.cd.select(L.DOWN @ C())
                r = self.ad.com(x)
        else:
            self.ab.select(L.RIGHT @ A())
            self.ad.select(L.RIGHT @ A())
            if y > 0:
                self.ab.select(L.LEFT @ B())
                self.bc.select(L.LEFT @ B())
                self.cd.select(L.LEFT @ C())
                r = self.cd.com(self.bc.com(y))
            else:
                self.ab.select(L.RIGHT @ B())
                self.bc.select(L.RIGHT @ B())
                self.cd.select(L.RIGHT @ C())
                r = self.ad.com(-x)
        return r


# run: Nest.go A.x=12 B.y=3
