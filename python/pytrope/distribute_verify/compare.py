"""Compares what two runs did: weights, samples, printed lines."""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Callable
from typing import Any

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# A running time, which is another one in every run: `time: 0.3`, `took 12`, `0.3 s`, `5ms/step`.
BEFORE_TIME = re.compile(r"(?:time|took|elapsed|duration|eta)\W*$", re.IGNORECASE)
AFTER_TIME = re.compile(r"\s?(?:s|secs?|seconds?|ms|min|minutes?|hours?)\b")
# A time of day or a duration as `datetime` prints it: `14:03:22`, `0:00:04.394341`.
CLOCK = re.compile(r"\b\d+:\d\d:\d\d(?:\.\d+)?")


def weights_differ_by(one: dict[str, Any], other: dict[str, Any]) -> float:
    """The largest difference of any weight, relative to the largest weight of its array; infinite for other shapes.

    Weights that rounding alone has moved in both runs (a bias before BatchNorm or a softmax, under Adam) are at random places and
    change nothing: they are not compared.
    """
    mine, yours = _read_weights(one["weights"]), _read_weights(other["weights"])
    if [shape for shape, _, _ in mine] != [shape for shape, _, _ in yours]:
        return math.inf
    largest = 0.0
    for (_, a, moved), (_, b, moved_too) in zip(mine, yours, strict=True):
        if a:
            scale = max(max(map(abs, a)), 1e-3)
            apart = (_distance(x, y) for x, y in zip(a, b, strict=True))
            if any(moved) and any(moved_too):
                by_rounding = (m and n and m + n < 4 for m, n in zip(moved, moved_too, strict=True))
                apart = (0.0 if skip else distance for skip, distance in zip(by_rounding, apart, strict=True))
            largest = max(largest, max(apart) / scale)
    return largest


def _distance(x: float, y: float) -> float:
    """How far two weights are apart; one that is not a number is as far away as can be, and equals itself."""
    if math.isnan(x) or math.isnan(y):
        return 0.0 if math.isnan(x) and math.isnan(y) else math.inf
    return 0.0 if x == y else abs(x - y)


def _read_weights(path: str) -> list[tuple[list[int], array[float], bytes]]:
    """The arrays that `observe` wrote, with what moved each weight (0 gradient, 1 rounding, 2 nothing); none where a run ended before."""
    try:
        with open(path, "rb") as given:
            shapes = json.loads(given.readline())
            weights = []
            for shape in shapes:
                values = array("f")
                values.frombytes(given.read(4 * math.prod(shape)))
                weights.append((shape, values))
            return [(shape, values, given.read(math.prod(shape))) for shape, values in weights]
    except OSError:
        return []


def losses_differ_by(original: dict[str, Any], ranks: list[dict[str, Any]], steps: int | None = None) -> float:
    """The largest difference between a step's loss and the ranks' mean of it, relative to the loss; infinite for other steps.

    Only the first ``steps`` are compared where it is given.
    """
    columns = [rank["losses"] for rank in ranks]
    if {len(column) for column in columns} != {len(original["losses"])}:
        return math.inf
    largest = 0.0
    for step, loss in enumerate(original["losses"][:steps]):
        mean = sum(column[step] for column in columns) / len(columns)
        largest = max(largest, abs(loss - mean) / max(abs(loss), 0.1))
    return largest


class Comparison:
    """How ranks on the samples of one process, in its order, end beside it.

    ``compared`` is how many steps were taken before the ranks read other samples than one process (a sample that is repeated
    because it has no partner); from there on all differs.  `compare_runs` ends both runs there.
    """

    def __init__(self, original: dict[str, Any], ranks: list[dict[str, Any]]) -> None:
        self.ranks = len(ranks)
        self.steps = (len(original["losses"]), [len(rank["losses"]) for rank in ranks])
        self.layers = set().union(*(rank["layers"] for rank in ranks))
        if original["draws"] and all(rank["draws"] == original["draws"] for rank in ranks):
            self.layers.discard("random numbers")
        self.batch = max(
            (size for one in original["samples"] if one["trains"] for size, _ in one["batches"]), default=0
        )
        self.compared = _steps_on_same_samples(original, [rank["samples"] for rank in ranks])
        self.weights = weights_differ_by(original, ranks[0])
        self.losses = losses_differ_by(original, ranks, self.compared)
        # How many steps were not run because the samples are others from there on.
        self.left_out = 0
        # Whether the weights differ as the original's do when only the order of additions is another one.
        self.by_rounding = False

    def judge(self, tolerance: float) -> tuple[str, str]:
        """`ok`, `differs` or `open`, and the detail; `open` names why a comparison would have no meaning.

        `ok` is said only where the weights agree.
        """
        whole, parts = self.steps
        if set(parts) != {whole}:
            detail = f"{', '.join(map(str, parts))} steps on the ranks, {whole} in one process"
            if self.batch % self.ranks:
                return "open", f"{detail}: a batch of {self.batch} cannot be divided evenly among {self.ranks} ranks"
            return "differs", detail
        if self.compared < whole:
            return (
                "open",
                f"other samples are read from step {self.compared + 1} of {whole} on, where the batch size is not a multiple of the number of ranks",
            )
        detail = f"weights differ from the original's by {self.weights:.1g}, losses by {self.losses:.1g}"
        if self.left_out:
            detail += f", after the {whole} steps before a sample is read twice"
        if self.by_rounding:
            detail += ", as far as rounding alone moves the original's (its batches in reverse order)"
        if self.weights <= tolerance or self.by_rounding:
            return "ok", detail
        if self.layers:
            return "open", f"{detail}; {', '.join(sorted(self.layers))} work on each rank's part of a batch"
        return "differs", detail


# Up to here losses agree, so that weights may differ by rounding alone; the most that rounding may be amplified to.
SAME_LOSS, OTHER_LOSS = 1e-4, 5e-3
# Rounding is random: other ranks' differ by a few times what one other order of additions does.
TIMES_ROUNDING = 3.0


def compare_runs(
    original: dict[str, Any],
    ranks: list[dict[str, Any]],
    run_again: Callable[[int], tuple[dict[str, Any], list[dict[str, Any]]]],
    run_reversed: Callable[[int | None], dict[str, Any]] | None = None,
    tolerance: float = 5e-3,
) -> Comparison:
    """Compares two runs; where they read other samples from some step on, ``run_again`` runs both up to it.

    Where losses agree and weights do not, ``run_reversed`` runs the original once more with the samples of each batch in reverse
    order: what differs then differs by rounding, which Adam makes as large as any step.
    """
    comparison = Comparison(original, ranks)
    whole, parts = comparison.steps
    steps = None
    if 1 < comparison.compared < whole and set(parts) == {whole}:
        steps = comparison.compared
        original, ranks = run_again(steps)
        comparison = Comparison(original, ranks)
        comparison.left_out = whole - comparison.steps[0]
    whole, parts = comparison.steps
    may_be_rounding = set(parts) == {whole} and comparison.compared == whole and comparison.losses <= OTHER_LOSS
    if run_reversed is not None and may_be_rounding and comparison.weights > tolerance:
        turned = run_reversed(steps)
        floor = losses_differ_by(original, [turned])
        if floor <= OTHER_LOSS and comparison.losses <= max(SAME_LOSS, TIMES_ROUNDING * floor):
            comparison.by_rounding = _is_rounding(original, ranks[0], turned, tolerance)
    return comparison


def _is_rounding(original: dict[str, Any], rank: dict[str, Any], turned: dict[str, Any], tolerance: float) -> bool:
    """Whether in each array the rank's weights are no farther from the original's than those of the reversed batches.

    Both the largest difference and the sum are held against it: a gradient that is wrong moves all weights of an array, rounding
    those whose gradient is next to nothing.
    """
    runs = [_read_weights(run["weights"]) for run in (original, rank, turned)]
    if (
        not [shape for shape, _, _ in runs[0]]
        == [shape for shape, _, _ in runs[1]]
        == [shape for shape, _, _ in runs[2]]
    ):
        return False
    for (_, a, _), (_, b, _), (_, c, _) in zip(*runs, strict=True):
        if not a:
            continue
        allowed = tolerance * max(max(map(abs, a)), 1e-3)
        apart = [_distance(x, y) for x, y in zip(a, b, strict=True)]
        rounded = [_distance(x, z) for x, z in zip(a, c, strict=True)]
        if max(apart) > max(allowed, TIMES_ROUNDING * max(rounded)):
            return False
        if max(apart) > allowed and sum(apart) > TIMES_ROUNDING * sum(rounded):
            return False
    return True


def _steps_on_same_samples(original: dict[str, Any], ranks: list[list[Any]]) -> int:
    """How many steps come before a batch whose samples are not those that the ranks draw together."""
    steps = len(original["losses"])
    passes: list[dict[int, list[Any]]] = []
    for samples in [original["samples"], *ranks]:
        by_dataset: dict[int, list[Any]] = {}
        for one in samples:
            by_dataset.setdefault(one["dataset"], []).append(one)
        passes.append(by_dataset)
    whole, parts = passes[0], passes[1:]
    for dataset, wanted in whole.items():
        for number, one in enumerate(wanted):
            if not one["trains"]:
                continue
            batches = [_batches(part[dataset][number]) if number < len(part.get(dataset, [])) else [] for part in parts]
            for place, (samples, before) in enumerate(_batches(one)):
                together = Counter(s for batch in batches for s in (batch[place][0] if place < len(batch) else []))
                if together != Counter(samples):
                    steps = min(steps, before)
                    break
    return steps


def _batches(one: dict[str, Any]) -> list[tuple[list[int], int]]:
    """The samples of each batch of a pass, and how many steps came before it."""
    found, start = [], 0
    for size, before in one["batches"]:
        found.append((one["drawn"][start : start + size], before))
        start += size
    return found


class Coverage:
    """How the ranks together read the samples that one process read."""

    def __init__(self, original: list[Any], ranks: list[list[Any]]) -> None:
        self.missing = self.overlap = self.read = 0
        counts = [_by_pass(samples) for samples in [original, *ranks]]
        whole, parts = counts[0], counts[1:]
        for dataset, passes in whole.items():
            for number, (wanted, trains) in enumerate(passes):
                drawn = [p[dataset][number][0] for p in parts if dataset in p and number < len(p[dataset])]
                if not drawn:
                    continue
                # Every rank may read all where nothing is trained on it.
                if not trains and all(part == wanted for part in drawn):
                    continue
                together = sum(drawn, Counter())
                self.read += sum(wanted.values())
                self.missing += sum((wanted - together).values())
                self.overlap += sum((together - wanted).values())

    def __str__(self) -> str:
        if not self.read:
            return "no loader that is divided was seen"
        return f"{self.read} read by one process; {self.missing} missing, {self.overlap} repeated by two ranks"


def _by_pass(samples: list[Any]) -> dict[int, list[tuple[Counter[int], bool]]]:
    """Per data set and pass the samples, and whether steps were taken on them."""
    found: dict[int, list[tuple[Counter[int], bool]]] = {}
    for one in samples:
        found.setdefault(one["dataset"], []).append((Counter(one["drawn"]), one["trains"]))
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
            for x, y in zip(NUMBER.finditer(a), NUMBER.finditer(b), strict=True):
                if BEFORE_TIME.search(a, 0, x.start()) or AFTER_TIME.match(a, x.end()):
                    continue
                one, other = float(x.group()), float(y.group())
                difference = abs(one - other) / max(abs(one), abs(other), 1e-2)
                if difference > self.difference:
                    self.difference, self.apart = difference, (a, b)


def _lines(text: str) -> list[str]:
    return [CLOCK.sub("<time>", line.strip()) for line in text.splitlines() if line.strip()]
