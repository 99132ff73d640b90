"""Role classes given to choreographies in bases and types, as the thesis writes them; mypy needs our plugin for this file."""

from pytrope.choreo import At, Ch2, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Quiet(Ch2[A, B]):
    def __init__(self, channel: Channel[int, A, B]) -> None:
        self.channel = channel

    def tell(self, x: At[int, A]) -> At[int, B]:
        return self.channel.com(x)


class Loud(Quiet[A, B], Ch2[A, B]):
    def tell(self, x: At[int, A]) -> At[int, B]:
        return super().tell(x * 2)


class Turned(Quiet[B, A], Ch2[A, B]):
    def twice(self, x: At[int, B]) -> At[int, A]:
        return self.tell(x) + self.tell(x)


class Wrong(Quiet[A, B], Ch2[A, B]):
    def tell(self, x: At[str, A]) -> At[int, B]:  # error
        return 0


class Uses(Ch3[A, B, C]):
    def __init__(self, inner: Quiet[B, C], ab: Channel[int, A, B]) -> None:
        self.inner: Quiet[B, C] = inner
        self.loud = Loud[A, B](ab)

    def run(self, x: At[int, A]) -> At[int, C]:
        self.inner.shout(x)  # error
        return self.inner.tell(self.loud.tell(x))
