"""The first bookseller of HasChor: the buyer decides by its budget."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class Buyer(Role): ...


class Seller(Role): ...


class Answer(Enum):
    BUY = 1
    LEAVE = 2


def price_of(title: str) -> int:
    return {"Types and Programming Languages": 80, "Homotopy Type Theory": 120}[title]


class Bookseller(Ch2[Buyer, Seller]):
    def __init__(self, ch: Channel[object, Buyer, Seller]) -> None:
        self.ch = ch

    def buy(self, title: At[str, Buyer], budget: At[int, Buyer]) -> At[str | None, Buyer]:
        wanted = self.ch.com(title)
        price = self.ch.com(price_of(wanted))
        if price <= budget:
            self.ch.select(Answer.BUY @ Buyer())
            date = self.ch.com(f"delivery of {wanted}")
            return date
        else:
            self.ch.select(Answer.LEAVE @ Buyer())
            return None


# run: Bookseller.buy Buyer.title="'Types and Programming Languages'" Buyer.budget=90
