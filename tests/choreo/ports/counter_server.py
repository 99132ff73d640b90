"""The counter of Chorex: a server keeps a number between requests."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class Client(Role): ...


class Server(Role): ...


class Request(Enum):
    INCREMENT = 1
    DECREMENT = 2
    READ = 3


class Counter(Ch2[Client, Server]):
    def __init__(self, ch: Channel[object, Client, Server]) -> None:
        self.ch = ch
        self.value: At[int, Server] = 0

    def ask(self, request: At[Request, Client]) -> At[int | None, Client]:
        match request:
            case Request.INCREMENT:
                self.ch.select(Request.INCREMENT @ Client())
                self.value += 1
                return None
            case Request.DECREMENT:
                self.ch.select(Request.DECREMENT @ Client())
                self.value -= 1
                return None
            case Request.READ:
                self.ch.select(Request.READ @ Client())
                return self.ch.com(self.value)

    def session(self, times: int) -> At[int | None, Client]:
        for _ in range(times):
            self.ask(Request.INCREMENT)
        self.ask(Request.DECREMENT)
        return self.ask(Request.READ)


# run: Counter.session Client.times=4 Server.times=4
