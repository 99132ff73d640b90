"""Nim: two players take turns; whoever empties the heap tells the other."""

from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class Ann(Role): ...


class Ben(Role): ...


class Turn(Enum):
    PLAY = 1
    WON = 2


def take(heap: int, most: int) -> int:
    return max(1, min(most, heap % (most + 1)))


class Nim(Ch2[Ann, Ben]):
    MOST = 3

    def __init__(self, ch: Channel[int, Ann, Ben]) -> None:
        self.ch = ch

    def play(self, heap: At[int, Ann]) -> tuple[At[str, Ann], At[str, Ben]]:
        while True:
            heap -= take(heap, self.MOST)
            if heap <= 0:
                self.ch.select(Turn.WON @ Ann())
                return "won", "lost"
            self.ch.select(Turn.PLAY @ Ann())
            theirs = self.ch.com(heap)
            theirs -= take(theirs, self.MOST)
            if theirs <= 0:
                self.ch.select(Turn.WON @ Ben())
                return "lost", "won"
            self.ch.select(Turn.PLAY @ Ben())
            heap = self.ch.com(theirs)


# run: Nim.play Ann.heap=17
