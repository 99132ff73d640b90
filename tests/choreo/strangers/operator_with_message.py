"""An account whose operators send messages."""

from __future__ import annotations

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Duo(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch
        self.n: At[int, A] = 0
        self.log: At[list[int], B] = []

    def ping(self, x: At[int, A]) -> At[int, B]:
        return self.ch.com(x)

    def pong(self, x: At[int, B]) -> At[int, A]:
        return self.ch.com(x)


class Account(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B], balance: At[int, B]) -> None:
        self.ch = ch
        self.balance = balance

    def __add__(self, amount: At[int, A]) -> Account[A, B]:
        return Account[A, B](self.ch, self.balance + self.ch.com(amount))

    def __ge__(self, price: At[int, A]) -> At[bool, B]:
        return self.balance >= self.ch.com(price)

    def __getitem__(self, key: At[str, A]) -> At[int, A]:
        wanted = self.ch.com(key)
        return self.ch.com(self.balance if wanted == "balance" else 0)


class P(Duo):
    def go(self, x: At[int, A]) -> tuple[At[int, A], At[bool, B]]:
        account = Account[A, B](self.ch, 10) + x + x
        rich = account >= 15
        return account["balance"], rich


# run: P.go A.x=3
