"""Coursework: describe marks of a class and draw a histogram with text."""
import math
import statistics
from collections import Counter

import numpy as np

MARKS = {
    "Ada": [78, 92, 85],
    "Ben": [55, 61, 70],
    "Cyn": [90, 88, 97],
    "Dev": [40, 52, 49],
    "Eve": [67, 74, 71],
}
WEIGHTS = [0.2, 0.3, 0.5]
BOUNDARIES = [(85, "A"), (70, "B"), (55, "C"), (0, "F")]


def weighted(marks, weights=WEIGHTS):
    total = 0
    for mark, weight in zip(marks, weights):
        total += mark * weight
    return total


def grade(score):
    for bound, letter in BOUNDARIES:
        if score >= bound:
            return letter
    raise ValueError(f"negative score {score}")


def text_histogram(values, bins=5, width=30):
    low, high = min(values), max(values)
    step = (high - low) / bins or 1
    counts = [0] * bins
    for v in values:
        k = min(int((v - low) / step), bins - 1)
        counts[k] += 1
    peak = max(counts)
    lines = []
    for k, c in enumerate(counts):
        bar = "#" * round(c / peak * width)
        lines.append(f"{low + k * step:6.1f} | {bar:<{width}} {c}")
    return "\n".join(lines)


def summarise(table):
    scores = {name: weighted(m) for name, m in table.items()}
    ranking = sorted(scores.items(), key=lambda item: item[1], reverse=True)
    letters = Counter(grade(s) for s in scores.values())
    best, best_score = ranking[0]
    return {
        "scores": scores,
        "ranking": ranking,
        "letters": letters,
        "best": (best, best_score),
        "mean": statistics.mean(scores.values()),
        "stdev": statistics.stdev(scores.values()),
    }


def z_scores(matrix):
    centred = matrix - matrix.mean(axis=0)
    return centred / centred.std(axis=0, ddof=1)


def main():
    report = summarise(MARKS)
    print(f"{'name':<6}{'score':>8}  grade")
    for place, (name, score) in enumerate(report["ranking"], start=1):
        print(f"{place}. {name:<6}{score:8.2f}  {grade(score)}")
    print(report["letters"].most_common(1)[0][0], math.floor(report["mean"]))

    matrix = np.array(list(MARKS.values()), dtype=float)
    print(matrix.shape)
    z = z_scores(matrix)
    np.testing.assert_allclose(z.mean(axis=0), np.zeros(3), atol=1e-12)
    combined = matrix @ np.array(WEIGHTS)
    for name, by_loop, by_numpy in zip(MARKS, report["scores"].values(), combined):
        assert math.isclose(by_loop, by_numpy), name
    print(text_histogram(matrix.ravel().tolist()))
    corr = np.corrcoef(matrix, rowvar=False)
    i, j = np.unravel_index(np.argmax(corr - 2 * np.eye(3)), corr.shape)
    print(f"exams {i + 1} and {j + 1} agree most: {corr[i, j]:.2f}")


if __name__ == "__main__":
    main()
