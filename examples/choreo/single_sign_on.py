"""Single sign-on with retry: recursion, and a decision that changes hands."""

from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Client(Role): ...


class Service(Role): ...


class CAS(Role): ...


class Login(Enum):
    VALID = "valid"
    INVALID = "invalid"
    RETRY = "retry"
    GIVE_UP = "give up"


@dataclass
class Credentials:
    user: str
    password: str


def known(credentials: Credentials) -> bool:
    return credentials.password == credentials.user[::-1]


def token_for(credentials: Credentials) -> str:
    return f"token of {credentials.user}"


class SingleSignOn(Ch3[Client, Service, CAS]):
    """The client tries its credentials one by one until the central server knows them."""

    def __init__(self, client_cas: Channel[object, Client, CAS], service_cas: Channel[str, Service, CAS]) -> None:
        self.client_cas = client_cas
        self.service_cas = service_cas

    def login(self, attempts: At[list[Credentials], Client]) -> tuple[At[str, Client], At[str, Service]]:
        offered: At[Credentials, CAS] = self.client_cas.com(attempts[0])
        if known(offered):
            self.client_cas.select(Login.VALID @ CAS())
            self.service_cas.select(Login.VALID @ CAS())
            token: At[str, CAS] = token_for(offered)
            return self.client_cas.com(token), self.service_cas.com(token)
        else:
            self.client_cas.select(Login.INVALID @ CAS())
            rest: At[list[Credentials], Client] = attempts[1:]
            if len(rest) > 0:
                self.client_cas.select(Login.RETRY @ Client())
                self.service_cas.select(Login.RETRY @ CAS())
                return self.login(rest)
            else:
                self.client_cas.select(Login.GIVE_UP @ Client())
                self.service_cas.select(Login.GIVE_UP @ CAS())
                return "no token" @ Client(), "no token" @ Service()
