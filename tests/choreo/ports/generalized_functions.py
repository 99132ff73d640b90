"""One function of Chorex used by three pairs of roles."""

from __future__ import annotations

from pytrope.choreo import At, Ch3, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


class Carol(Role): ...


def relay[X: Role, Y: Role, Z: Role](
    first: Channel[int, X, Y], second: Channel[int, Y, Z], value: At[int, X]
) -> At[int, Z]:
    return second.com(first.com(value) + 1)


class Round(Ch3[Alice, Bob, Carol]):
    def __init__(self, ab: Channel[int, Alice, Bob], bc: Channel[int, Bob, Carol], ca: Channel[int, Carol, Alice]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca

    def run(self, value: At[int, Alice]) -> At[int, Bob]:
        at_carol = relay(self.ab, self.bc, value)
        at_bob = relay(self.ca, self.ab, at_carol * 10)
        return at_bob


# run: Round.run Alice.value=4
