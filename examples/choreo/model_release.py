"""Release by vote: three reviewers judge a model, the trainer counts, everybody learns the outcome."""

from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch4, Channel, Role


class Trainer(Role): ...


class Safety(Role): ...


class Quality(Role): ...


class Legal(Role): ...


class Outcome(Enum):
    RELEASE = "release"
    WITHHOLD = "withhold"


@dataclass
class Report:
    name: str
    accuracy: float
    incidents: int
    licence: str


def majority(first: bool, second: bool, third: bool) -> bool:
    return first + second + third >= 2


class ModelRelease(Ch4[Trainer, Safety, Quality, Legal]):
    def __init__(
        self,
        safety: Channel[object, Trainer, Safety],
        quality: Channel[object, Trainer, Quality],
        legal: Channel[object, Trainer, Legal],
    ) -> None:
        self.safety = safety
        self.quality = quality
        self.legal = legal

    def decide(
        self, report: At[Report, Trainer], threshold: At[float, Quality]
    ) -> tuple[At[str, Trainer], At[bool, Safety], At[bool, Quality], At[bool, Legal]]:
        for_safety: At[Report, Safety] = self.safety.com(report)
        for_quality: At[Report, Quality] = self.quality.com(report)
        for_legal: At[Report, Legal] = self.legal.com(report)
        safe: At[bool, Trainer] = self.safety.com(for_safety.incidents == 0)
        good: At[bool, Trainer] = self.quality.com(for_quality.accuracy >= threshold)
        lawful: At[bool, Trainer] = self.legal.com(for_legal.licence != "unknown")
        if majority(safe, good, lawful):
            self.safety.select(Outcome.RELEASE @ Trainer())
            self.quality.select(Outcome.RELEASE @ Trainer())
            self.legal.select(Outcome.RELEASE @ Trainer())
            return f"{report.name} is released", True @ Safety(), True @ Quality(), True @ Legal()
        else:
            self.safety.select(Outcome.WITHHOLD @ Trainer())
            self.quality.select(Outcome.WITHHOLD @ Trainer())
            self.legal.select(Outcome.WITHHOLD @ Trainer())
            return f"{report.name} is withheld", False @ Safety(), False @ Quality(), False @ Legal()
