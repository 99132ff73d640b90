"""A decision made and known by two of three roles, the third left out, after ChoRus."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


class Carol(Role): ...


class Side(Enum):
    HEADS = 1
    TAILS = 2


def flip(ch: Channel[object, Alice, Bob], heads: At[bool, Alice]) -> tuple[At[int, Alice], At[int, Bob]]:
    """Of the three, only Alice and Bob know that this happens."""
    if heads:
        ch.select(Side.HEADS @ Alice())
        return 1, ch.com(10 @ Alice())
    else:
        ch.select(Side.TAILS @ Alice())
        return ch.com(2 @ Bob()), 20


class Conclave(Ch3[Alice, Bob, Carol]):
    def __init__(self, ab: Channel[object, Alice, Bob], bc: Channel[object, Bob, Carol]) -> None:
        self.ab = ab
        self.bc = bc

    def run(self, heads: At[bool, Alice]) -> tuple[At[int, Alice], At[int, Carol]]:
        first, there = flip(self.ab, heads)
        second, here = flip(self.ab, not heads)
        return first * second, self.bc.com(there + here)


# run: Conclave.run Alice.heads=True
