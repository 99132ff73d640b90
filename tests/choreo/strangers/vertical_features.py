import math

from pytrope.choreo import At, Ch2, Channel, Role


class Bank(Role): ...


class Shop(Role): ...


def dot(w: list[float], x: list[float]) -> float:
    return sum(a * b for a, b in zip(w, x, strict=True))


class VLR(Ch2[Bank, Shop]):
    def __init__(self, ch: Channel[list[float], Bank, Shop]) -> None:
        self.ch = ch

    def fit(
        self,
        xb: At[list[list[float]], Bank],
        xs: At[list[list[float]], Shop],
        y: At[list[int], Bank],
        *,
        epochs: int = 3,
        rate: float = 0.5,
    ) -> tuple[At[list[float], Bank], At[list[float], Shop]]:
        wb: At[list[float], Bank] = [0.0] * len(xb[0])
        ws: At[list[float], Shop] = [0.0 for _ in xs[0]]
        for epoch in range(epochs):
            partial = self.ch.com([dot(ws, row) for row in xs])
            error = [1 / (1 + math.exp(-(p + dot(wb, row)))) - t for p, row, t in zip(partial, xb, y)]
            error_s = self.ch.com(error)
            wb = [w - rate * sum(e * row[j] for e, row in zip(error, xb)) for j, w in enumerate(wb)]
            ws = [w - rate * sum(e * row[j] for e, row in zip(error_s, xs)) for j, w in enumerate(ws)]
        return wb, ws


# run: VLR.fit Bank.xb="[[1.0],[2.0]]" Shop.xs="[[0.5],[1.5]]" Bank.y="[0,1]"
