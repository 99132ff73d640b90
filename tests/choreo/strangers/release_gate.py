from enum import Enum

from pytrope.choreo import At, Ch, Channel, On, Role


class V(Enum):
    RELEASE = "release"
    HOLD = "hold"


def evaluate(score: float, threshold: float) -> bool:
    return score >= threshold


class Release[Trainer: Role, Audit: Role, Legal: Role](Ch[Trainer, Audit, Legal]):
    def __init__(self, ta: Channel[object, Trainer, Audit], tl: Channel[object, Trainer, Legal]):
        self.ta = ta
        self.tl = tl

    def decide(
        self, score: At[float, Trainer], t1: At[float, Audit], t2: At[float, Legal]
    ) -> At[str, Trainer | Audit | Legal]:
        s_a = self.ta.com(score)
        s_l = self.tl.com(score)
        ok_a = self.ta.com(evaluate(s_a, t1))
        ok_l = self.tl.com(evaluate(s_l, t2))
        if ok_a and ok_l:
            self.ta.select(V.RELEASE @ On[Trainer])
            self.tl.select(V.RELEASE @ On[Trainer])
            return "released"
        else:
            self.ta.select(V.HOLD @ On[Trainer])
            self.tl.select(V.HOLD @ On[Trainer])
            return "held"


# run: Release.decide Trainer.score=0.9 Audit.t1=0.5 Legal.t2=0.8
