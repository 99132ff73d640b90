"""The third store of HasChor: how writes are replicated is a choreography that the store is given."""

from __future__ import annotations

from collections.abc import Callable

from pytrope.choreo import At, Ch3, Channel, Role


class Client(Role): ...


class Primary(Role): ...


class Backup(Role): ...


def unreplicated(back: Channel[int, Primary, Backup], value: At[int, Primary]) -> At[int, Backup]:
    return 0


def replicated(back: Channel[int, Primary, Backup], value: At[int, Primary]) -> At[int, Backup]:
    return back.com(value)


class Store(Ch3[Client, Primary, Backup]):
    def __init__(self, front: Channel[int, Client, Primary], back: Channel[int, Primary, Backup]) -> None:
        self.front = front
        self.back = back

    def put(
        self, strategy: Callable[[Channel[int, Primary, Backup], At[int, Primary]], At[int, Backup]], value: At[int, Client]
    ) -> tuple[At[int, Client], At[int, Backup]]:
        arrived = self.front.com(value)
        copy = strategy(self.back, arrived)
        return self.front.com(arrived + 1), copy

    def twice(self, value: At[int, Client]) -> tuple[At[int, Client], At[int, Backup]]:
        first, lost = self.put(unreplicated, value)
        second, kept = self.put(replicated, value * 2)
        return first + second, lost + kept


# run: Store.twice Client.value=5
