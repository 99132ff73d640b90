"""Choral's bookseller."""

from dataclasses import dataclass
from enum import Enum, auto

from pytrope.choreo import At, Ch, Channel, On, Role


class Choice(Enum):
    BUY = auto()
    PASS = auto()


@dataclass(frozen=True)
class Book:
    title: str
    price: float


CATALOGUE = {"HoTT": Book("HoTT", 23.5), "TAPL": Book("TAPL", 80.0)}


def lookup(title: str) -> Book | None:
    return CATALOGUE.get(title)


class BookSelling[Buyer: Role, Seller: Role](Ch[Buyer, Seller]):
    """A buyer asks for the price of a book and decides."""

    def __init__(self, ch: Channel[object, Buyer, Seller]) -> None:
        self.ch = ch

    def run(self, title: At[str, Buyer], budget: At[float, Buyer]) -> At[str | None, Buyer]:
        # ask
        wanted: At[str, Seller] = self.ch.com(title)
        book: At[Book | None, Seller] = lookup(wanted)
        price = self.ch.com(book.price if book is not None else None)
        if price is not None and price < budget:
            self.ch.select(Choice.BUY @ On[Buyer])
            date: At[str, Buyer] = self.ch.com("2026-11-20" @ On[Seller])
            return date
        else:
            self.ch.select(Choice.PASS @ On[Buyer])
            return None


# run: BookSelling.run Buyer.title="'HoTT'" Buyer.budget=30.0
