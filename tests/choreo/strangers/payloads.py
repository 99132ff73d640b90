from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import NamedTuple

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Perm(Flag):
    R = auto()
    W = auto()


class Colour(Enum):
    RED = "r"

    @property
    def pretty(self) -> str:
        return self.name.title()


class P(NamedTuple):
    x: int
    y: float


@dataclass
class Deep:
    name: str
    children: list["Deep"] = field(default_factory=list)
    where: P | None = None


class Send(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def run(self, n: At[int, A]) -> At[list[object], B]:
        deep: At[Deep, A] = Deep("root", [Deep("leaf", [], P(n, 0.5))])
        got: At[list[object], B] = [
            self.ch.com(deep),
            self.ch.com(Perm.R | Perm.W @ A()),
            self.ch.com(Colour.RED @ A()).pretty,
            self.ch.com(b"\x00\xff" @ A()),
            self.ch.com(n**200),
            self.ch.com({n, n + 1}),
            self.ch.com({(n, "k"): None}),
            self.ch.com(float("inf") @ A()),
            self.ch.com(1j * n),
        ]
        return got


# run: Send.run A.n=3
