"""An object made by a class method."""

from __future__ import annotations

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Duo(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch
        self.n: At[int, A] = 0
        self.log: At[list[int], B] = []

    def ping(self, x: At[int, A]) -> At[int, B]:
        return self.ch.com(x)

    def pong(self, x: At[int, B]) -> At[int, A]:
        return self.ch.com(x)


class Box(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B], left: At[int, A]) -> None:
        self.ch = ch
        self.left = left

    @classmethod
    def doubled(cls, ch: Channel[object, A, B], x: At[int, A]) -> Box[A, B]:
        return cls(ch, x * 2)

    def show(self) -> At[int, B]:
        return self.ch.com(self.left)


class P(Duo):
    def go(self, x: At[int, A]) -> At[int, B]:
        return Box[A, B].doubled(self.ch, x).show()


# run: P.go A.x=7
