"""The ring of HasChor: labels go round until one process meets its own."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Turn(Enum):
    LEADER = 1
    ON = 2


class Ring(Ch3[A, B, C]):
    def __init__(self, ab: Channel[object, A, B], bc: Channel[object, B, C], ca: Channel[object, C, A]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca

    def elect(self, mine: At[int, A], yours: At[int, B], theirs: At[int, C]) -> tuple[At[int, A], At[int, B], At[int, C]]:
        a = mine
        b = yours
        c = theirs
        for _ in range(3):
            to_b = self.ab.com(a)
            to_c = self.bc.com(b)
            to_a = self.ca.com(c)
            a = max(a, to_a)
            b = max(b, to_b)
            c = max(c, to_c)
        return a, b, c


# run: Ring.elect A.mine=3 B.yours=9 C.theirs=4
