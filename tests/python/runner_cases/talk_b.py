from dataclasses import dataclass

from pytrope.choreo import ELSEWHERE


@dataclass
class Box:
    content: int


class Talk_B:
    def __init__(self, ab, bc, factor=2):
        self.ab = ab
        self.bc = bc
        self.factor = factor

    def round(self, bonus):
        box = self.ab.recv()
        self.bc.send(Box(box.content * self.factor + bonus))
        return ELSEWHERE, self.factor

    def fail(self):
        self.ab.recv()
        raise ArithmeticError("the machine is broken")
