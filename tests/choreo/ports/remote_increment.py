"""The first functions of Klor: a remote function applied to a list, element by element."""

from __future__ import annotations

from collections.abc import Callable

from pytrope.choreo import At, Ch2, Channel, Role


class Client(Role): ...


class Server(Role): ...


def remote(ch: Channel[int, Client, Server], x: At[int, Client]) -> At[int, Client]:
    return ch.com(ch.com(x) + 1)


class Map(Ch2[Client, Server]):
    def __init__(self, ch: Channel[int, Client, Server]) -> None:
        self.ch = ch

    def over(
        self, f: Callable[[Channel[int, Client, Server], At[int, Client]], At[int, Client]], count: int, items: At[list[int], Client]
    ) -> At[list[int], Client]:
        done: At[list[int], Client] = []
        for at in range(count):
            done.append(f(self.ch, items[at]))
        return done

    def run(self, items: At[list[int], Client]) -> At[list[int], Client]:
        return self.over(remote, 3, items)


# run: Map.run Client.items="[5, 6, 7]"
