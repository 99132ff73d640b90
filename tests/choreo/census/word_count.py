"""Words counted by mappers, after the MapReduce example of ChoRus."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


def cut(lines: list[str], count: int) -> list[list[str]]:
    return [lines[at::count] for at in range(count)]


def count_words(lines: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in " ".join(lines).split():
        found[word] = found.get(word, 0) + 1
    return found


def merge(counts: list[dict[str, int]]) -> list[tuple[str, int]]:
    total: dict[str, int] = {}
    for part in counts:
        for word, number in part.items():
            total[word] = total.get(word, 0) + number
    return sorted(total.items())


class WordCount(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def run(self, lines: At[list[str], Server]) -> At[list[tuple[str, int]], Server]:
        part = self.star.scatter(cut(lines, self.star.count))
        return merge(self.star.gather(count_words(part)))


def given(rng: random.Random, count: int) -> Any:
    return {"lines": [" ".join(rng.choices(["sea", "sky", "sun"], k=4)) for _ in range(7)]}, [{}] * count


def expected(ours: Any, theirs: Any) -> Any:
    return merge([count_words(ours["lines"])]), [None] * len(theirs)


# census: WordCount.run Server Workers
