"""A frozen record of the module that all roles decide by."""

from dataclasses import dataclass

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


@dataclass(frozen=True)
class Config:
    rounds: int = 3
    step: int = 5


CONFIG = Config()


class Rounds(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def run(self, x: At[int, A]) -> At[int, B]:
        total: At[int, B] = 0
        for i in range(CONFIG.rounds):
            total += self.ch.com(x + i * CONFIG.step)
        return total


# run: Rounds.run A.x=1
