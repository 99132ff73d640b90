"""A value is folded over all members from left to right, after ChoRus."""

import random
from typing import Any

from pytrope.choreo import At, Ch1, Family, Mesh



class Nodes(Family): ...


class Fold(Ch1[Nodes]):
    def __init__(self, mesh: Mesh[str, Nodes]) -> None:
        self.mesh = mesh

    def run(self, word: At[str, Nodes]) -> At[str, Nodes]:
        said = self.mesh.allgather(word)
        return "-".join(said[: self.mesh.rank + 1])


def given(rng: random.Random, count: int) -> Any:
    return {}, [{"word": rng.choice(["a", "b", "c"])} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    words = [one["word"] for one in theirs]
    return None, ["-".join(words[: at + 1]) for at in range(len(words))]


# census: Fold.run - Nodes mesh
