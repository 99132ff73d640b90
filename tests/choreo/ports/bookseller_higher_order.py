"""The second bookseller of HasChor: who decides is a choreography that the bookseller is given."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Buyer(Role): ...


class Friend(Role): ...


class Seller(Role): ...


class Answer(Enum):
    BUY = 1
    LEAVE = 2


def alone(pair: Channel[int, Buyer, Friend], price: At[int, Buyer], share: At[int, Friend]) -> At[bool, Buyer]:
    return price <= 50


def together(pair: Channel[int, Buyer, Friend], price: At[int, Buyer], share: At[int, Friend]) -> At[bool, Buyer]:
    asked = pair.com(price)
    given = pair.com(min(share, asked))
    return price - given <= 50


class Bookseller(Ch3[Buyer, Friend, Seller]):
    def __init__(self, shop: Channel[object, Buyer, Seller], pair: Channel[int, Buyer, Friend]) -> None:
        self.shop = shop
        self.pair = pair

    def buy(
        self,
        decide: Callable[[Channel[int, Buyer, Friend], At[int, Buyer], At[int, Friend]], At[bool, Buyer]],
        title: At[str, Buyer],
        share: At[int, Friend],
    ) -> At[str, Buyer]:
        price = self.shop.com(len(self.shop.com(title)) * 10)
        if decide(self.pair, price, share):
            self.shop.select(Answer.BUY @ Buyer())
            return self.shop.com("on its way" @ Seller())
        else:
            self.shop.select(Answer.LEAVE @ Buyer())
            return "too dear"

    def both(self, title: At[str, Buyer], share: At[int, Friend]) -> At[str, Buyer]:
        first = self.buy(alone, title, share)
        second = self.buy(together, title, share)
        return first + ", " + second


# run: Bookseller.both Buyer.title="'Flatland'" Friend.share=40
