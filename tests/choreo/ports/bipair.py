"""The pair of Choral whose halves live at two roles, swapped by a function."""

from __future__ import annotations

from dataclasses import dataclass

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


@dataclass
class BiPair(Ch2[A, B]):
    left: At[int, A]
    right: At[int, B]


def exchange(ch: Channel[int, A, B], pair: BiPair) -> BiPair:
    there = ch.com(pair.left)
    back = ch.com(pair.right)
    return BiPair(back, there)


class Swap(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def run(self, x: At[int, A], y: At[int, B]) -> tuple[At[int, A], At[int, B]]:
        pair = exchange(self.ch, BiPair(x, y))
        again = exchange(self.ch, BiPair(pair.left + 1, pair.right + 1))
        return again.left, again.right


# run: Swap.run A.x=3 B.y=7
