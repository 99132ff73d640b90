"""A loop over two channels."""

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

    def go(self, x: At[int, A]) -> At[int, A]:
        total: At[int, A] = 0
        for link in (self.ab, self.ca):
            there = link.com(x)
            total += link.com(there * there)
        return total


# run: P.go A.x=3
