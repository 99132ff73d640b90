from typing import TypeAlias

from pytrope.choreo import At, Ch2, Channel, Role


class Buyer(Role): ...


class Seller(Role): ...


Price: TypeAlias = At[int, Seller]
Title = At[str, Buyer]
Link = Channel[object, Buyer, Seller]


class Quote(Ch2[Buyer, Seller]):
    def __init__(self, link: Link) -> None:
        self.link = link

    def ask(self, title: Title) -> At[int, Buyer]:
        price: Price = len(self.link.com(title))
        return self.link.com(price)


# run: Quote.ask Buyer.title="'abc'"
