from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Point(NamedTuple):
    x: int
    y: int


class Geometry(Ch2[A, B]):
    SCALE: ClassVar[int] = 10
    NAMES: Final = ("x", "y")

    def __init__(self, ch: Channel[Point, A, B]) -> None:
        self.ch: Final = ch
        self.cache: At[dict[str, Point], B] = {}

    @classmethod
    def scaled(cls, value: int) -> int:
        return value * cls.SCALE

    def move(self, p: At[Point, A], /, dx: At[int, B] = 1, *, name: At[str, B] = "p") -> At[Point, B]:
        q = self.ch.com(p)
        moved = q._replace(x=self.scaled(q.x) + dx)
        self.cache[name] = moved
        if name in self.cache and len(self.cache) == 1:
            del self.cache[name]
        for field in self.NAMES:
            print(field, getattr(moved, field))
        return moved

    def twice(self, p: At[Point, A]) -> At[int, B]:
        first = self.move(p, name="a")
        second: At[Point, B] = self.move(p, 5)
        return first.x + second.x


# run: Geometry.twice A.p="Point(1, 2)"
