from collections import Counter
from enum import Enum

from pytrope.choreo import At, Ch4, DiChannel, Role


class Tally(Role):
    "Counts."


class V1(Role):
    "Votes."


class V2(Role):
    "Votes."


class V3(Role):
    "Votes."


class Result(Enum):
    PASSED = True
    REJECTED = False


class Vote(Ch4[Tally, V1, V2, V3]):
    def __init__(
        self,
        v1: DiChannel[bool, V1, Tally],
        v2: DiChannel[bool, V2, Tally],
        v3: DiChannel[bool, V3, Tally],
        r1: DiChannel[object, Tally, V1],
        r2: DiChannel[object, Tally, V2],
        r3: DiChannel[object, Tally, V3],
    ):
        self.v1, self.v2, self.v3, self.r1, self.r2, self.r3 = v1, v2, v3, r1, r2, r3

    def announce(self, result: At[Result, Tally]) -> tuple[At[Result, V1], At[Result, V2], At[Result, V3]]:
        return self.r1.com(result), self.r2.com(result), self.r3.com(result)

    def run(self, b1: At[bool, V1], b2: At[bool, V2], b3: At[bool, V3]) -> tuple[At[str, V1], At[str, V2], At[str, V3]]:
        counts: At[Counter[bool], Tally] = Counter([self.v1.com(b1), self.v2.com(b2), self.v3.com(b3)])
        r1, r2, r3 = self.announce(Result(counts[True] >= 2))
        return r1.name, r2.name, r3.name


# run: Vote.run V1.b1=True V2.b2=False V3.b3=True
