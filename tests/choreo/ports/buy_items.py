"""A basket is priced item by item until the client stops, after HasChor."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class Client(Role): ...


class Shop(Role): ...


class Basket(Enum):
    ITEM = 1
    DONE = 2


class BuyItems(Ch2[Client, Shop]):
    def __init__(self, ch: Channel[object, Client, Shop]) -> None:
        self.ch = ch

    def total(self, items: At[list[str], Client]) -> tuple[At[int, Client], At[int, Shop]]:
        left = list(items)
        sold: At[int, Shop] = 0
        paid: At[int, Client] = 0
        while left:
            self.ch.select(Basket.ITEM @ Client())
            item = self.ch.com(left.pop())
            sold += 1
            paid += self.ch.com(len(item) * sold)
        self.ch.select(Basket.DONE @ Client())
        return paid, sold


# run: BuyItems.total Client.items="['nut', 'screw', 'hammer']"
