from __future__ import annotations

from pytrope.choreo import At, Ch2, Channel, Role


class Main(Ch2["A", "B"]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def go(self, x: At[int, A]) -> At[int, B]:
        return self.ch.com(x)


class A(Role): ...


class B(Role): ...


# run: Main.go A.x=1
