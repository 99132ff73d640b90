"""The authentication of Klor: a client proves to a server what a third role knows."""

from __future__ import annotations

import hashlib
from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Client(Role): ...


class Server(Role): ...


class Authority(Role): ...


class Outcome(Enum):
    OK = 1
    NO = 2


def digest(password: str, salt: str) -> str:
    return hashlib.sha256((salt + password).encode()).hexdigest()[:8]


class Authenticate(Ch3[Client, Server, Authority]):
    def __init__(self, ca: Channel[object, Client, Authority], sa: Channel[object, Server, Authority]) -> None:
        self.ca = ca
        self.sa = sa

    def login(self, password: At[str, Client], salt: At[str, Authority], known: At[str, Authority]) -> tuple[At[bool, Client], At[bool, Server]]:
        received = self.ca.com(salt)
        proof = self.ca.com(digest(password, received))
        if proof == digest(known, salt):
            self.ca.select(Outcome.OK @ Authority())
            self.sa.select(Outcome.OK @ Authority())
            return True, True
        else:
            self.ca.select(Outcome.NO @ Authority())
            self.sa.select(Outcome.NO @ Authority())
            return False, False


# run: Authenticate.login Client.password="'pw'" Authority.salt="'na'" Authority.known="'pw'"
