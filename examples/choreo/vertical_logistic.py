"""Vertical logistic regression: two parties know different features of the same people.

The bank and the shop keep their columns and their weights; the arbiter knows the answers.
Only sums of weighted features and the residuals travel.
"""

import math

from pytrope.choreo import At, Ch3, Channel, Role

EPOCHS = 100
RATE = 0.5


class Bank(Role): ...


class Shop(Role): ...


class Arbiter(Role): ...


def scores(weights: list[float], rows: list[list[float]]) -> list[float]:
    return [sum(w * x for w, x in zip(weights, row, strict=True)) for row in rows]


def residuals(left: list[float], right: list[float], answers: list[int]) -> list[float]:
    return [1 / (1 + math.exp(-a - b)) - y for a, b, y in zip(left, right, answers, strict=True)]


def improved(weights: list[float], rows: list[list[float]], errors: list[float]) -> list[float]:
    return [
        w - RATE * sum(e * row[column] for e, row in zip(errors, rows, strict=True)) / len(rows)
        for column, w in enumerate(weights)
    ]


def correct(errors: list[float]) -> int:
    """How many answers are on the right side of one half."""
    return sum(1 for error in errors if abs(error) < 0.5)


class VerticalLogistic(Ch3[Bank, Shop, Arbiter]):
    def __init__(self, bank: Channel[list[float], Bank, Arbiter], shop: Channel[list[float], Shop, Arbiter]) -> None:
        self.bank = bank
        self.shop = shop

    def fit(
        self,
        accounts: At[list[list[float]], Bank],
        baskets: At[list[list[float]], Shop],
        answers: At[list[int], Arbiter],
    ) -> tuple[At[list[float], Bank], At[list[float], Shop], At[int, Arbiter]]:
        bank_weights: At[list[float], Bank] = [0.0 for _ in accounts[0]]
        shop_weights: At[list[float], Shop] = [0.0 for _ in baskets[0]]
        errors: At[list[float], Arbiter] = []
        for _ in range(EPOCHS):
            left: At[list[float], Arbiter] = self.bank.com(scores(bank_weights, accounts))
            right: At[list[float], Arbiter] = self.shop.com(scores(shop_weights, baskets))
            errors = residuals(left, right, answers)
            bank_weights = improved(bank_weights, accounts, self.bank.com(errors))
            shop_weights = improved(shop_weights, baskets, self.shop.com(errors))
        return bank_weights, shop_weights, correct(errors)
