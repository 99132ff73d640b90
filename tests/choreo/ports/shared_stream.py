"""One stream, read by two roles in turn, after HasChor."""

from __future__ import annotations

from pytrope.choreo import At, Ch3, Channel, Role


class Source(Role): ...


class Left(Role): ...


class Right(Role): ...


class Stream(Ch3[Source, Left, Right]):
    def __init__(self, left: Channel[int, Source, Left], right: Channel[int, Source, Right]) -> None:
        self.left = left
        self.right = right

    def run(self, count: int, start: At[int, Source]) -> tuple[At[int, Left], At[int, Right]]:
        even: At[int, Left] = 0
        odd: At[int, Right] = 0
        for at in range(count):
            if at % 2 == 0:
                even += self.left.com(start + at)
            else:
                odd += self.right.com(start + at)
        return even, odd


# run: Stream.run Source.count=5 Left.count=5 Right.count=5 Source.start=10
