from enum import Enum
from typing import assert_never

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Op(Enum):
    ADD = 1
    NEG = 2


class Done(Enum):
    ONE = 1
    TWO = 2


class Calc(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def run(self, op: At[Op, A], x: At[int, A]) -> At[int, B]:
        match op:
            case Op.ADD:
                self.ch.select(Done.ONE @ A())
                r = self.ch.com(x) + 1
            case Op.NEG:
                self.ch.select(Done.TWO @ A())
                r = -self.ch.com(x)
            case _:
                assert_never(op)
        return r


# run: Calc.run A.op="Op.NEG" A.x=4
