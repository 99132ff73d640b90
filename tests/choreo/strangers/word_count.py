"""MapReduce over two mappers."""

from collections import Counter

from pytrope.choreo import At, Ch3, Channel, Role


class Master(Role): ...


class M1(Role): ...


class M2(Role): ...


def split(lines: list[str]) -> tuple[list[str], list[str]]:
    half = len(lines) // 2
    return lines[:half], lines[half:]


def count(lines: list[str]) -> dict[str, int]:
    return dict(Counter(word for line in lines for word in line.split()))


def merge(*parts: dict[str, int]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return dict(sorted(total.items()))


class WordCount(Ch3[Master, M1, M2]):
    def __init__(self, c1: Channel[object, Master, M1], c2: Channel[object, Master, M2]) -> None:
        self.c1 = c1
        self.c2 = c2

    def run(self, lines: At[list[str], Master]) -> At[dict[str, int], Master]:
        left, right = split(lines)
        l1 = self.c1.com(left)
        l2 = self.c2.com(right)
        return merge(self.c1.com(count(l1)), self.c2.com(count(l2)))


# run: WordCount.run Master.lines="['a b', 'b c', 'c']"
