"""The surface in the thesis' notation; a line marked `error` must be refused by both checkers."""

from enum import Enum
from typing import Any

from pytrope.choreo import At, Ch1, Ch2, Ch3, Channel, DiChannel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Label(Ch1[A], Enum):
    GO = "go"
    STOP = "stop"


class Pair(Ch2[A, B]):
    def __init__(self, left: At[int, A], right: At[str, B]) -> None:
        self.left = left
        self.right = right


class Quiet(Ch2[A, B]):
    def __init__(self, channel: Channel[int, A, B]) -> None:
        self.channel = channel

    def tell(self, x: At[int, A]) -> At[int, B]:
        return self.channel.com(x)


class Loud(Quiet, Ch2[A, B]):
    def tell(self, x: At[int, A]) -> At[int, B]:
        return super().tell(x * 2)


class Wrong(Quiet, Ch2[A, B]):
    def tell(self, x: At[str, A]) -> At[int, B]:  # error
        return 0


class Uses(Ch3[A, B, C]):
    def __init__(
        self,
        ab: Channel[int, A, B],
        anything: Channel[object, A, B],
        whatever: Channel[Any, B, C],
        one_way: DiChannel[list[str], C, A],
    ) -> None:
        self.ab = ab
        self.anything = anything
        self.whatever = whatever
        self.one_way = one_way

    def payloads(self, x: At[int, A], words: At[list[str], C]) -> At[int, B]:
        number: At[int, B] = self.ab.com(x)
        same: At[int, B] = self.anything.com(x)
        text: At[str, B] = self.anything.com("kept as a str")
        joined: At[str, A] = " ".join(self.one_way.com(words))
        self.ab.com("text")  # error
        self.one_way.com([1, 2])  # error
        lost: At[str, B] = self.ab.com(x)  # error
        return number + same + len(text) + len(joined) + len(lost)

    def literals(self) -> At[int, A | B]:
        two: At[int, A] = 2 @ A()
        shared: At[int, A | B] = 3 @ A() @ B()
        wrong: At[str, A] = 2 @ A()  # error
        return two + shared + len(wrong)

    def labels(self, x: At[int, A]) -> Pair:
        if x > 0:
            self.ab.select(Label.GO @ A())
        else:
            self.ab.select(Label.STOP @ A())
        self.ab.select("GO")  # error
        return Pair(x, "text" @ B())

    def instantiated(self, x: At[int, B]) -> At[int, C]:
        inner = Loud[B, C](self.ab)
        Pair[B, C](x, x)  # error
        return inner.tell(x)
