"""Figure 20 of the paper on MultiChor: a decision is delegated, and a third role acts on it."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


class Carroll(Role): ...


class Choice(Enum):
    ASK_BOB = 1
    ASK_CARROLL = 2


class Delegation(Ch3[Alice, Bob, Carroll]):
    def __init__(self, ab: Channel[object, Alice, Bob], ac: Channel[object, Alice, Carroll], bc: Channel[object, Bob, Carroll]) -> None:
        self.ab = ab
        self.ac = ac
        self.bc = bc

    def query(self, question: At[str, Alice], trusted: At[bool, Alice]) -> At[int, Alice]:
        if trusted:
            self.ab.select(Choice.ASK_BOB @ Alice())
            self.ac.select(Choice.ASK_BOB @ Alice())
            return self.ab.com(len(self.ab.com(question)))
        else:
            self.ab.select(Choice.ASK_CARROLL @ Alice())
            self.ac.select(Choice.ASK_CARROLL @ Alice())
            asked = self.bc.com(self.ab.com(question))
            return self.ac.com(len(asked) * 2)

    def both(self, question: At[str, Alice]) -> At[tuple[int, int], Alice]:
        return self.query(question, True), self.query(question, False)


# run: Delegation.both Alice.question="'who?'"
