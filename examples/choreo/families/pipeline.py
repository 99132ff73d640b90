"""Pipeline parallelism: each stage holds one layer, and batches move from stage to stage.

In every tick each stage works on what the stage before sent in the tick before; the first one takes a new batch.
Layers have widths of their own: what a stage receives is as wide as the stage before has made it.
"""

import numpy as np
from pytrope.choreo import At, Ch1, Family, Mesh
from pytrope.hints import Float


class Stages(Family): ...


def forward(weights: Float[np.ndarray, "i o"], batch: Float[np.ndarray, "b i"]) -> Float[np.ndarray, "b o"]:
    return np.maximum(0.0, batch @ weights)


def entering(rank: int, tick: int, batches: list[np.ndarray], arrived: np.ndarray | None) -> np.ndarray | None:
    if rank > 0:
        return arrived
    return batches[tick] if tick < len(batches) else None


def made_of(weights: Float[np.ndarray, "i o"], batch: np.ndarray | None) -> np.ndarray | None:
    return None if batch is None else forward(weights, batch)


def kept(rank: int, count: int, outputs: list[np.ndarray], made: np.ndarray | None) -> list[np.ndarray]:
    return [*outputs, made] if rank == count - 1 and made is not None else outputs


class Pipeline(Ch1[Stages]):
    def __init__(self, mesh: Mesh[np.ndarray | None, Stages]) -> None:
        self.mesh = mesh

    def run(
        self, weights: At[Float[np.ndarray, "i o"], Stages], batches: At[list[np.ndarray], Stages], ticks: int
    ) -> At[list[np.ndarray], Stages]:
        outputs: At[list[np.ndarray], Stages] = []
        arrived: At[np.ndarray | None, Stages] = None
        for tick in range(ticks):
            made = made_of(weights, entering(self.mesh.rank, tick, batches, arrived))
            outputs = kept(self.mesh.rank, self.mesh.count, outputs, made)
            arrived = self.mesh.shift(made)
        return outputs
