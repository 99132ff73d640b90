from dataclasses import dataclass

from pytrope.choreo import ELSEWHERE


@dataclass
class Box:
    content: int


class Talk_A:
    def __init__(self, ab, ca):
        self.ab = ab
        self.ca = ca

    def round(self, box):
        self.ab.send(box)
        return self.ca.recv(), ELSEWHERE

    def fail(self, box):
        self.ab.send(box)
        self.ca.recv()


class Alone_A:
    pass
