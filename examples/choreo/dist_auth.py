"""Distributed authentication, as in the PyChoral thesis (program 4.1) and in Choral.

A client proves to an identity provider that it knows a password; on success client and
service share a token.  The password itself never leaves the client.
"""

import hashlib
from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch2, Ch3, Channel, Role


class Client(Role): ...


class Service(Role): ...


class IP(Role): ...


class AuthBranch(Enum):
    OK = "OK"
    KO = "KO"


@dataclass
class Credentials:
    username: str
    password: str


def calc_hash(salt: str, password: str) -> str:
    """What the client sends instead of its password."""
    return hashlib.sha256(f"{salt}:{password}".encode()).hexdigest()


class ClientRegistry:
    """Whom the identity provider knows."""

    @staticmethod
    def get_salt(username: str) -> str:
        return f"salt of {username}"

    @staticmethod
    def check(hashed: str) -> bool:
        return hashed == calc_hash("salt of ada", "lovelace")


class AuthToken:
    """What a session is recognised by."""

    @staticmethod
    def create() -> str:
        return "token-1815"


class AuthResult(Ch2[Client, Service]):
    """A token at both roles, or None at both."""

    def __init__(self, left: At[str | None, Client] = None, right: At[str | None, Service] = None) -> None:
        self.left = left
        self.right = right


class DistAuth(Ch3[Client, Service, IP]):
    def __init__(self, ch_Client_IP: Channel[object, Client, IP], ch_Service_IP: Channel[object, Service, IP]) -> None:
        self.ch_Client_IP = ch_Client_IP
        self.ch_Service_IP = ch_Service_IP

    def authenticate(self, credentials: At[Credentials, Client]) -> AuthResult:
        salt: At[str, Client] = self.ch_Client_IP.com(
            ClientRegistry.get_salt(self.ch_Client_IP.com(credentials.username))
        )
        valid: At[bool, IP] = ClientRegistry.check(self.ch_Client_IP.com(calc_hash(salt, credentials.password)))
        if valid:
            self.ch_Client_IP.select(AuthBranch.OK @ IP())
            self.ch_Service_IP.select(AuthBranch.OK @ IP())
            t: At[str, IP] = AuthToken.create()
            return AuthResult(self.ch_Client_IP.com(t), self.ch_Service_IP.com(t))
        else:
            self.ch_Client_IP.select(AuthBranch.KO @ IP())
            self.ch_Service_IP.select(AuthBranch.KO @ IP())
            return AuthResult()
