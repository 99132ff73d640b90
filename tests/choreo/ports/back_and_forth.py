"""The first test of Chorex: a value goes there and comes back."""

from __future__ import annotations

from pytrope.choreo import At, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


def back_and_forth(ch: Channel[int, Alice, Bob], start: At[int, Alice]) -> At[int, Alice]:
    there = ch.com(start)
    return ch.com(there * 10) + start


# run: back_and_forth Alice.start=4
