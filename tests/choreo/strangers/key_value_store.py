"""A replicated key-value store, as in ChoRus and MultiChor."""

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from pytrope.choreo import At, Ch3, Channel, Role


class Client(Role): ...


class Primary(Role): ...


class Backup(Role): ...


@dataclass
class Put:
    key: str
    value: str


@dataclass
class Get:
    key: str


Request = Put | Get


class Kind(Enum):
    PUT = "put"
    GET = "get"


class More(Enum):
    YES = 1
    NO = 0


def apply(store: dict[str, str], request: Request) -> str:
    match request:
        case Put(key, value):
            store[key] = value
            return "ok"
        case Get(key):
            return store.get(key, "<none>")


class Kvs(Ch3[Client, Primary, Backup]):
    def __init__(self, cp: Channel[object, Client, Primary], pb: Channel[object, Primary, Backup]) -> None:
        self.cp = cp
        self.pb = pb
        self.store: At[dict[str, str], Primary] = {}
        self.replica: At[dict[str, str], Backup] = {}

    def handle(self, request: At[Request, Client]) -> At[str, Client]:
        r: At[Request, Primary] = self.cp.com(request)
        match r:
            case Put(key=k):
                self.pb.select(Kind.PUT @ Primary())
                copy: At[Request, Backup] = self.pb.com(r)
                ack: At[str, Primary] = self.pb.com(apply(self.replica, copy))
                assert ack == "ok", f"backup refused {k}"
            case Get():
                self.pb.select(Kind.GET @ Primary())
            case _:
                assert_never(r)
        return self.cp.com(apply(self.store, r))

    def session(self, requests: At[list[Request], Client]) -> At[list[str], Client]:
        answers: At[list[str], Client] = []
        for_later: At[list[Request], Client] = list(requests)
        while for_later:
            self.cp.select(More.YES @ Client())
            self.pb.select(More.YES @ Primary())
            answers.append(self.handle(for_later.pop(0)))
        self.cp.select(More.NO @ Client())
        self.pb.select(More.NO @ Primary())
        return answers


# run: Kvs.session Client.requests="[Put('a','1'), Get('a'), Get('b')]"
