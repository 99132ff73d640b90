"""A transfer at a branch with an audit, after ChoRus: a client asks, a third role keeps the log."""

from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Say(Enum):
    OK = 1
    INSUFFICIENT = 2


@dataclass
class Transfer:
    source: str
    target: str
    amount: int


class Bank(Ch3[A, B, C]):
    """ChoRus style: client A, branch B, audit C."""

    def __init__(self, ab: Channel[object, A, B], bc: Channel[object, B, C]) -> None:
        self.ab = ab
        self.bc = bc
        self.balances: At[dict[str, int], B] = {"ada": 100, "bob": 5}
        self.log: At[list[Transfer], C] = []

    def transfer(self, order: At[Transfer, A]) -> tuple[At[bool, A], At[int, C]]:
        asked = self.ab.com(order)
        if self.balances[asked.source] >= asked.amount:
            self.ab.select(Say.OK @ B())
            self.bc.select(Say.OK @ B())
            self.balances[asked.source] -= asked.amount
            self.balances[asked.target] += asked.amount
            self.log.append(self.bc.com(asked))
            return True, len(self.log)
        self.ab.select(Say.INSUFFICIENT @ B())
        self.bc.select(Say.INSUFFICIENT @ B())
        return False, len(self.log)

    def run(self, orders: At[tuple[Transfer, Transfer], A]) -> tuple[At[int, A], At[int, B], At[int, C]]:
        first, _ = self.transfer(orders[0])
        second, count = self.transfer(orders[1])
        return int(first) + int(second), sum(self.balances.values()), count


# run: Bank.run "A.orders=(Transfer('ada','bob',50),Transfer('ada','bob',500))"
