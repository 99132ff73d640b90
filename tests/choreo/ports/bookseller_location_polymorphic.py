"""The third bookseller of HasChor: one function for any buyer and any seller."""

from __future__ import annotations

from pytrope.choreo import At, Ch3, Channel, Role


class Ann(Role): ...


class Ben(Role): ...


class Shop(Role): ...


def quote[Buyer: Role, Seller: Role](
    ch: Channel[object, Buyer, Seller], title: At[str, Buyer], factor: At[int, Seller]
) -> At[int, Buyer]:
    asked = ch.com(title)
    return ch.com(len(asked) * factor)


class Market(Ch3[Ann, Ben, Shop]):
    def __init__(self, first: Channel[object, Ann, Shop], second: Channel[object, Shop, Ben]) -> None:
        self.first = first
        self.second = second

    def quotes(self, title: At[str, Ann], other: At[str, Ben], factor: At[int, Shop]) -> tuple[At[int, Ann], At[int, Ben]]:
        ours = quote(self.first, title, factor)
        theirs = quote(self.second, other, factor + 1)
        return ours, theirs


# run: Market.quotes Ann.title="'Emma'" Ben.other="'Ulysses'" Shop.factor=3
