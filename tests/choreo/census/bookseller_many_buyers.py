"""The fancy bookseller of MultiChor: any number of buyers share the price, each as far as it can."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star



class Server(Role): ...


class Workers(Family): ...


def take_up(price: int, offers: list[int]) -> list[int]:
    paid: list[int] = []
    for offer in offers:
        part = min(offer, price)
        price -= part
        paid.append(part)
    return paid if price == 0 else [0] * len(offers)


class Bookseller(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def sell(self, price: At[int, Server], purse: At[int, Workers]) -> tuple[At[bool, Server], At[int, Workers]]:
        asked = self.star.broadcast(price)
        offers = self.star.gather(min(purse, asked))
        parts = take_up(price, offers)
        mine = self.star.scatter(parts)
        sold = self.star.share(sum(parts) == price)
        return sold, (purse - mine if sold else purse)


def given(rng: random.Random, count: int) -> Any:
    return {"price": 60}, [{"purse": rng.randrange(10, 50)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    purses = [one["purse"] for one in theirs]
    parts = take_up(60, [min(purse, 60) for purse in purses])
    return sum(parts) == 60, [purse - part for purse, part in zip(purses, parts, strict=True)]


# census: Bookseller.sell Server Workers
