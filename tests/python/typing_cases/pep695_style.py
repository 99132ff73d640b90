"""The surface with roles as type parameters; a line marked `error` must be refused by both checkers."""

from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch, Channel, DiChannel, On, Role


class Label(Enum):
    GO = "go"
    STOP = "stop"


@dataclass
class Job:
    name: str
    size: int


class Quiet[A: Role, B: Role](Ch[A, B]):
    def __init__(self, channel: Channel[Job, A, B]) -> None:
        self.channel = channel

    def tell(self, job: At[Job, A]) -> At[int, B]:
        return self.channel.com(job).size


class Loud[A: Role, B: Role](Quiet[A, B], Ch[A, B]):
    def tell(self, job: At[Job, A]) -> At[int, B]:
        return 2 * super().tell(job)


class Uses[A: Role, B: Role, C: Role](Ch[A, B, C]):
    def __init__(self, ab: Channel[Job, A, B], bc: DiChannel[object, B, C], inner: Loud[A, B]) -> None:
        self.ab = ab
        self.bc = bc
        self.inner = inner
        self.turned: Quiet[B, A] = Quiet[B, A](ab)

    def run(self, job: At[Job, A]) -> tuple[At[int, B], At[str, C]]:
        size: At[int, B] = self.inner.tell(job)
        if size > 3:
            self.bc.select(Label.GO @ On[B])
        else:
            self.bc.select(Label.STOP @ On[B])
        name: At[str, C] = self.bc.com("name" @ On[B])
        both: At[int, A | B] = 7 @ On[A] @ On[B]
        self.ab.com(size)  # error
        self.bc.select(size)  # error
        wrong: At[str, B] = self.inner.tell(job)  # error
        return size + both + len(wrong), name

    def missing(self, job: At[Job, A]) -> At[int, B]:
        return self.ab.com(job).weight  # error
