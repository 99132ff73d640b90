"""Compares what two runs did: weights, samples, printed lines."""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from typing import Any

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def weights_differ_by(one: dict[str, Any], other: dict[str, Any]) -> float:
    """The largest difference of any weight, relative to the largest weight of its array; infinite for other shapes."""
    mine, yours = _read_weights(one["weights"]), _read_weights(other["weights"])
    if [shape for shape, _ in mine] != [shape for shape, _ in yours]:
        return math.inf
    largest = 0.0
    for (_, a), (_, b) in zip(mine, yours, strict=True):
        if a:
            scale = max(max(map(abs, a)), 1e-3)
            largest = max(largest, max(abs(x - y) for x, y in zip(a, b, strict=True)) / scale)
    return largest


def _read_weights(path: str) -> list[tuple[list[int], array[float]]]:
    """The arrays that `observe` wrote; none where a run ended before."""
    try:
        with open(path, "rb") as given:
            shapes = json.loads(given.readline())
            weights = []
            for shape in shapes:
                values = array("f")
                values.frombytes(given.read(4 * math.prod(shape)))
                weights.append((shape, values))
            return weights
    except OSError:
        return []


def losses_differ_by(original: dict[str, Any], ranks: list[dict[str, Any]]) -> float:
    """The largest difference between a step's loss and the ranks' mean of it, relative to the loss; infinite for other steps.

    Weights whose gradient is zero but for rounding (a bias before BatchNorm) are moved at random by Adam, and mean nothing; the
    losses tell.
    """
    columns = [rank["losses"] for rank in ranks]
    if {len(column) for column in columns} != {len(original["losses"])}:
        return math.inf
    largest = 0.0
    for step, loss in enumerate(original["losses"]):
        mean = sum(column[step] for column in columns) / len(columns)
        largest = max(largest, abs(loss - mean) / max(abs(loss), 0.1))
    return largest


class Coverage:
    """How the ranks together read the samples that one process read."""

    def __init__(self, original: list[Any], ranks: list[list[Any]]) -> None:
        self.missing = self.overlap = self.read = 0
        counts = [_by_pass(samples) for samples in [original, *ranks]]
        trained = {one["dataset"] for one in original if one["trains"]}
        whole, parts = counts[0], counts[1:]
        for dataset, passes in whole.items():
            for number, wanted in enumerate(passes):
                drawn = [p[dataset][number] for p in parts if dataset in p and number < len(p[dataset])]
                if not drawn:
                    continue
                # Every rank may read all of a data set that nothing is trained on.
                if dataset not in trained and all(part == wanted for part in drawn):
                    continue
                together = sum(drawn, Counter())
                self.read += sum(wanted.values())
                self.missing += sum((wanted - together).values())
                self.overlap += sum((together - wanted).values())

    def __str__(self) -> str:
        if not self.read:
            return "no loader that is divided was seen"
        return f"{self.read} read by one process; {self.missing} missing, {self.overlap} repeated by two ranks"


def _by_pass(samples: list[Any]) -> dict[int, list[Counter[int]]]:
    found: dict[int, list[Counter[int]]] = {}
    for one in samples:
        found.setdefault(one["dataset"], []).append(Counter(one["drawn"]))
    return found


class Lines:
    """Printed lines: whether the words agree, and how far the numbers in them are apart."""

    def __init__(self, original: str, distributed: str) -> None:
        ours, theirs = _lines(original), _lines(distributed)
        self.count = (len(ours), len(theirs))
        self.other_words: str | None = None
        self.difference = 0.0
        self.apart: tuple[str, str] | None = None
        for a, b in zip(ours, theirs, strict=False):
            if NUMBER.sub("#", a) != NUMBER.sub("#", b):
                self.other_words = self.other_words or f"{a!r} became {b!r}"
                continue
            for x, y in zip(NUMBER.findall(a), NUMBER.findall(b), strict=True):
                one, other = float(x), float(y)
                difference = abs(one - other) / max(abs(one), abs(other), 1e-2)
                if difference > self.difference:
                    self.difference, self.apart = difference, (a, b)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
