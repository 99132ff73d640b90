"""The N-shaped exchange of HasChor: two senders, two receivers, one of each twice."""

from __future__ import annotations

from pytrope.choreo import At, Ch, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class D(Role): ...


class Shape(Ch[A, B, C, D]):
    def __init__(self, ac: Channel[int, A, C], ad: Channel[int, A, D], bd: Channel[int, B, D]) -> None:
        self.ac = ac
        self.ad = ad
        self.bd = bd

    def run(self, x: At[int, A], y: At[int, B]) -> tuple[At[int, C], At[int, D]]:
        c = self.ac.com(x)
        d = self.ad.com(x + 1)
        e = self.bd.com(y)
        return c, d * e


# run: Shape.run A.x=2 B.y=5
