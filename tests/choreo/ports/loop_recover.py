"""A loop of Chorex whose failing turns are made good."""

from __future__ import annotations

from pytrope.choreo import At, Ch2, Channel, ChoreoError, Role


class Alice(Role): ...


class Bob(Role): ...


class Recover(Ch2[Alice, Bob]):
    def __init__(self, ch: Channel[object, Alice, Bob]) -> None:
        self.ch = ch

    def run(self, divisors: At[list[int], Alice]) -> At[list[int], Bob]:
        got: At[list[int], Bob] = []
        for at in range(4):
            answer: At[int, Bob] = 0
            try:
                answer = self.ch.com(60 // divisors[at])
            except (ZeroDivisionError, IndexError, ChoreoError):
                answer = self.ch.com(-at @ Alice())
            got.append(answer)
        return got


# run: Recover.run Alice.divisors="[2, 0, 5]"
