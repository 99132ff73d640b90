from abc import ABC, abstractmethod

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Base(ABC, Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    @abstractmethod
    def work(self, x: At[int, B]) -> At[int, B]: ...

    def run(self, x: At[int, A]) -> At[int, A]:
        return self.ch.com(self.work(self.ch.com(x)))


class Double(Base[A, B], Ch2[A, B]):
    def work(self, x: At[int, B]) -> At[int, B]:
        return x * 2


class Triple(Base[A, B], Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B], offset: At[int, B] = 1) -> None:
        super().__init__(ch)
        self.offset = offset

    def work(self, x: At[int, B]) -> At[int, B]:
        return x * 3 + self.offset


class Both(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.d = Double(ch)
        self.t = Triple(ch, offset=5)

    def run(self, x: At[int, A]) -> At[int, A]:
        return self.d.run(x) + self.t.run(x)


# run: Both.run A.x=4
