"""A role that waits for one which has stopped since a third has failed."""

from __future__ import annotations

from pytrope.choreo import At, Ch3, Channel, ChoreoError, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class P(Ch3[A, B, C]):
    def __init__(self, ab: Channel[object, A, B], bc: Channel[object, B, C], ca: Channel[object, C, A]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca
        self.links = (ab, bc, ca)

    def go(self, x: At[int, A]) -> At[int, C]:
        try:
            y = self.bc.com(self.ab.com(1 // x))
            self.ca.com(y)
        except (ArithmeticError, ChoreoError):
            return self.ca.com(x) + 50
        return y + self.ca.com(x)


# run: P.go A.x=0
