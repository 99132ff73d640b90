"""The sandwich shop of Chorex: how one pays is a choreography that the shop is given."""

from __future__ import annotations

from collections.abc import Callable

from pytrope.choreo import At, Ch2, Channel, Role


class Customer(Role): ...


class Shop(Role): ...


def in_cash(ch: Channel[object, Customer, Shop], price: At[int, Shop]) -> At[int, Customer]:
    return ch.com(price)


def by_card(ch: Channel[object, Customer, Shop], price: At[int, Shop]) -> At[int, Customer]:
    number = ch.com("4711" @ Customer())
    return ch.com(price + len(number))


class Sandwiches(Ch2[Customer, Shop]):
    def __init__(self, ch: Channel[object, Customer, Shop]) -> None:
        self.ch = ch

    def order(
        self, pay: Callable[[Channel[object, Customer, Shop], At[int, Shop]], At[int, Customer]], bread: At[str, Customer]
    ) -> At[int, Customer]:
        wanted = self.ch.com(bread)
        return pay(self.ch, len(wanted) * 3)

    def lunch(self, bread: At[str, Customer]) -> At[int, Customer]:
        return self.order(in_cash, bread) + self.order(by_card, bread)


# run: Sandwiches.lunch Customer.bread="'rye'"
