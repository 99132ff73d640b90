"""Choreographic methods composed as values."""

from __future__ import annotations

from collections.abc import Callable

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


class P(Duo):
    def compose(self, f: Callable[[At[int, A]], At[int, B]], g: Callable[[At[int, B]], At[int, A]], x: At[int, A]) -> At[int, A]:
        return g(f(x) + 1)

    def go(self, x: At[int, A]) -> At[int, A]:
        return self.compose(self.ping, self.pong, x)


# run: P.go A.x=3
