"""A choreography applied twice, after the higher-order example of HasChor."""

from __future__ import annotations

from collections.abc import Callable

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


def bump(ch: Channel[int, A, B], x: At[int, A]) -> At[int, A]:
    return ch.com(ch.com(x) + 1)


def square(ch: Channel[int, A, B], x: At[int, A]) -> At[int, A]:
    there = ch.com(x)
    return ch.com(there * there)


class Twice(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def twice(self, step: Callable[[Channel[int, A, B], At[int, A]], At[int, A]], x: At[int, A]) -> At[int, A]:
        return step(self.ch, step(self.ch, x))

    def run(self, x: At[int, A]) -> At[int, A]:
        return self.twice(square, self.twice(bump, x))


# run: Twice.run A.x=1
