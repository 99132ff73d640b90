"""The second store of HasChor: the primary answers when its backup has the change."""

from __future__ import annotations

from enum import Enum
from dataclasses import dataclass

from pytrope.choreo import At, Ch3, Channel, Role


class Client(Role): ...


class Primary(Role): ...


class Backup(Role): ...


@dataclass(frozen=True)
class Request:
    kind: str
    key: str
    value: int = 0


class Mode(Enum):
    WRITE = 1
    READ = 2


def handle(table: dict[str, int], request: Request) -> int | None:
    if request.kind == "put":
        table[request.key] = request.value
    return table.get(request.key)


class Store(Ch3[Client, Primary, Backup]):
    def __init__(self, front: Channel[object, Client, Primary], back: Channel[object, Primary, Backup]) -> None:
        self.front = front
        self.back = back
        self.table: At[dict[str, int], Primary] = {}
        self.copy: At[dict[str, int], Backup] = {}

    def ask(self, request: At[Request, Client]) -> At[int | None, Client]:
        wanted = self.front.com(request)
        if wanted.kind == "put":
            self.back.select(Mode.WRITE @ Primary())
            kept = handle(self.copy, self.back.com(wanted))
            self.back.com(kept)
        else:
            self.back.select(Mode.READ @ Primary())
        return self.front.com(handle(self.table, wanted))

    def session(self, key: At[str, Client]) -> tuple[At[list[int | None], Client], At[int, Backup]]:
        got = [self.ask(Request("put", key, 7)), self.ask(Request("get", key)), self.ask(Request("get", key + "?"))]
        return got, len(self.copy)


# run: Store.session Client.key="'x'"
