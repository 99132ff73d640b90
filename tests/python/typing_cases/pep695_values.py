"""Attributes with roles, methods as values, static calls, operators, protocols, abstract classes and loops over channels."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

from pytrope.choreo import At, Ch, Ch2, Channel, ChoreoError, On, Role


class A(Role): ...


class B(Role): ...


class Duo(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch
        self.count: At[int, A] = 0
        self.names: At[list[str], B] = []
        self.wrong: At[int, A] = "text"  # error

    @staticmethod
    def send(ch: Channel[int, A, B], x: At[int, A]) -> At[int, B]:
        return ch.com(x)

    def go(self, x: At[int, A]) -> At[int, B]:
        self.count += x
        self.names.append(3)  # error
        return self.apply(self.once, x)

    def once(self, x: At[int, A]) -> At[int, B]:
        try:
            y = Duo[A, B].send(self.ch, x)
        except (ValueError, ChoreoError):
            y = self.ch.com(-x)
        return y

    def apply(self, f: Callable[[At[int, A]], At[int, B]], x: At[int, A]) -> At[int, B]:
        return f(x)

    def misuse(self, x: At[str, A]) -> At[int, B]:
        return self.apply(self.once, x)  # error


class Link[P: Role, Q: Role](Protocol):
    def carry(self, x: At[int, P]) -> At[int, Q]: ...


class Direct[P: Role, Q: Role](Ch[P, Q]):
    def __init__(self, ch: Channel[int, P, Q]) -> None:
        self.ch = ch
        self.seen: At[int, P] = 0

    def carry(self, x: At[int, P]) -> At[int, Q]:
        return self.ch.com(x + self.seen)

    def __add__(self, x: At[int, P]) -> At[int, Q]:
        return self.ch.com(x)


class Other[P: Role, Q: Role](Ch[P, Q]):
    def carry(self, x: At[str, P]) -> At[int, Q]:
        return 1 @ On[Q]


class User[P: Role, Q: Role](Ch[P, Q]):
    def __init__(self, link: Link[P, Q], links: tuple[Channel[int, P, Q], Channel[int, Q, P]]) -> None:
        self.link = link
        self.links = links

    def go(self, x: At[int, P], direct: Direct[P, Q], other: Other[P, Q]) -> At[int, Q]:
        for link in self.links:
            link.com(3 @ On[P])
        _wrong: Link[P, Q] = other  # error
        return self.link.carry(x) + (direct + 3)


class Abstract(Ch2[A, B], ABC):
    @abstractmethod
    def tell(self, x: At[int, A]) -> At[int, B]: ...


def make(ch: Channel[int, A, B]) -> User[A, B]:
    return User[A, B](Direct[A, B](ch), (ch, ch))
