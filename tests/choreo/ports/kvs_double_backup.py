"""The fourth store of HasChor: a replication written once, used for two backups."""

from __future__ import annotations

from pytrope.choreo import At, Ch, Channel, On, Role


class Client(Role): ...


class Primary(Role): ...


class First(Role): ...


class Second(Role): ...


def replicate[Source: Role, Copy: Role](ch: Channel[object, Source, Copy], value: At[int, Source]) -> tuple[At[bool, Source], At[int, Copy]]:
    copy = ch.com(value)
    return ch.com(True @ On[Copy]), copy


class Store(Ch[Client, Primary, First, Second]):
    def __init__(
        self,
        front: Channel[object, Client, Primary],
        one: Channel[object, Primary, First],
        two: Channel[object, Second, Primary],
    ) -> None:
        self.front = front
        self.one = one
        self.two = two

    def put(self, value: At[int, Client]) -> tuple[At[bool, Client], At[int, First], At[int, Second]]:
        arrived = self.front.com(value)
        safe, a = replicate(self.one, arrived)
        sound, b = replicate(self.two, arrived + 1)
        return self.front.com(safe and sound), a, b


# run: Store.put Client.value=5
