"""Static methods, their roles given in both orders."""

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


class Send(Ch2[A, B]):
    @staticmethod
    def both(ch: Channel[object, A, B], x: At[int, A], y: At[int, B]) -> tuple[At[int, A], At[int, B]]:
        return ch.com(y), ch.com(x)


class P(Duo):
    def go(self, x: At[int, A], y: At[int, B]) -> tuple[At[int, A], At[int, B]]:
        u, v = Send[A, B].both(self.ch, x, y)
        q, p = Send[B, A].both(self.ch, v, u)
        return p + 1, q + 2


# run: P.go A.x=3 B.y=5
