"""Functions of Chorex that call each other and themselves over the same channel."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


class Step(Enum):
    AGAIN = 1
    LAST = 2


def loop(ch: Channel[object, Alice, Bob], left: At[int, Alice], seen: At[int, Bob]) -> At[int, Bob]:
    if left > 0:
        ch.select(Step.AGAIN @ Alice())
        return loop(ch, left - 1, seen + ch.com(left))
    else:
        ch.select(Step.LAST @ Alice())
        return seen


def run(ch: Channel[object, Alice, Bob], count: At[int, Alice]) -> At[int, Bob]:
    once = loop(ch, count, 0)
    return loop(ch, count * 2, once)


# run: run Alice.count=3
