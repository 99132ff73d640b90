"""A matrix times a vector, a band of rows at each worker, after the fork-join programs of Klor."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


Matrix = list[list[int]]


def bands(rows: Matrix, count: int) -> list[Matrix]:
    size = -(-len(rows) // count)
    return [rows[at * size : (at + 1) * size] for at in range(count)]


def multiply(rows: Matrix, vector: list[int]) -> list[int]:
    return [sum(a * b for a, b in zip(row, vector)) for row in rows]


class MatrixVector(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def run(self, rows: At[Matrix, Server], vector: At[list[int], Server]) -> At[list[int], Server]:
        band = self.star.scatter(bands(rows, self.star.count))
        parts = self.star.gather(multiply(band, self.star.broadcast(vector)))
        return [value for part in parts for value in part]


def given(rng: random.Random, count: int) -> Any:
    rows = [[rng.randrange(9) for _ in range(3)] for _ in range(5)]
    return {"rows": rows, "vector": [1, 2, 3]}, [{}] * count


def expected(ours: Any, theirs: Any) -> Any:
    return multiply(ours["rows"], ours["vector"]), [None] * len(theirs)


# census: MatrixVector.run Server Workers
