"""The function of ChoRus that any pair of roles can use, in both directions."""

from __future__ import annotations

from pytrope.choreo import At, Ch2, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


def announce[From: Role, To: Role](ch: Channel[str, From, To], text: At[str, From]) -> At[int, To]:
    return len(ch.com(text + "!"))


class Both(Ch2[Alice, Bob]):
    def __init__(self, ch: Channel[str, Alice, Bob]) -> None:
        self.ch = ch

    def run(self, first: At[str, Alice], second: At[str, Bob]) -> tuple[At[int, Alice], At[int, Bob]]:
        to_bob = announce(self.ch, first)
        to_alice = announce(self.ch, second)
        return to_alice, to_bob


# run: Both.run Alice.first="'hello'" Bob.second="'hi'"
