"""Two classes over the same roles in different order that serve as one protocol."""

from __future__ import annotations

from typing import Protocol

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


class Way[X: Role, Y: Role](Protocol):
    def carry(self, x: At[int, X]) -> At[int, Y]: ...


class Plain(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def carry(self, x: At[int, A]) -> At[int, B]:
        return self.ch.com(x)


class Chatty(Ch2[B, A]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch
        self.count: At[int, B] = 0

    def carry(self, x: At[int, A]) -> At[int, B]:
        y = self.ch.com(x)
        self.count += y
        self.ch.com(y)
        return y + self.count


class P(Duo):
    def over(self, way: Way[A, B], x: At[int, A]) -> At[int, B]:
        return way.carry(x) + way.carry(1)

    def go(self, x: At[int, A]) -> At[int, B]:
        return self.over(Plain[A, B](self.ch), x) * 100 + self.over(Chatty[B, A](self.ch), x)


# run: P.go A.x=3
