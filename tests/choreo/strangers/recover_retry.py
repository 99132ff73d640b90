"""Four attempts, some of which fail at one role or another."""

from __future__ import annotations

from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class P(Ch3[A, B, C]):
    def __init__(self, ab: Channel[object, A, B], bc: Channel[object, B, C], ca: Channel[object, C, A]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca
        self.links = (ab, bc, ca)

    def go(self, x: At[int, A]) -> tuple[At[int, A], At[int, C]]:
        tries: At[int, A] = 0
        got: At[int, C] = 0
        for attempt in range(4):
            try:
                there = self.ab.com(100 // (x - attempt))
                if there % 2 == 0:
                    raise ValueError("even")
                fresh = self.bc.com(there)
            except Exception:
                tries = tries + self.ca.com(1 @ C())
            else:
                got += fresh
        return tries, got


# run: P.go A.x=3
