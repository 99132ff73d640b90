"""A choreography whose projections were written by hand, to test the runner without a projector."""

from dataclasses import dataclass

from pytrope.choreo import At, Ch2, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


@dataclass
class Box:
    content: int


class Talk(Ch3[A, B, C]):
    def __init__(
        self, ab: Channel[Box, A, B], bc: "Channel[Box, B, C]", ca: Channel[Box, C, A], factor: At[int, B] = 2
    ) -> None: ...

    def round(self, box: At[Box, A], bonus: At[int, B | C]) -> tuple[At[Box, A], At[int, B]]: ...

    def fail(self, box: At[Box, A]) -> At[Box, C]: ...


class Turned(Talk[C, A, B], Ch3[A, B, C]): ...


class Alone(Ch2[A, B]):
    def nothing(self) -> None: ...
