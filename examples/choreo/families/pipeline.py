"""Pipeline parallelism: each stage holds one layer, and batches move from stage to stage.

In every tick each stage works on what the stage before sent in the tick before; the first one takes a new batch.
"""

from pytrope.choreo import At, Ch1, Family, Mesh


class Stages(Family): ...


Batch = list[list[float]]


def forward(weights: list[list[float]], batch: Batch | None) -> Batch | None:
    if batch is None:
        return None
    return [[max(0.0, sum(w * x for w, x in zip(row, item, strict=True))) for row in weights] for item in batch]


def entering(rank: int, tick: int, batches: list[Batch], arrived: Batch | None) -> Batch | None:
    if rank > 0:
        return arrived
    return batches[tick] if tick < len(batches) else None


def kept(rank: int, count: int, outputs: list[Batch], made: Batch | None) -> list[Batch]:
    return [*outputs, made] if rank == count - 1 and made is not None else outputs


class Pipeline(Ch1[Stages]):
    def __init__(self, mesh: Mesh[Batch | None, Stages]) -> None:
        self.mesh = mesh

    def run(
        self, weights: At[list[list[float]], Stages], batches: At[list[Batch], Stages], ticks: int
    ) -> At[list[Batch], Stages]:
        outputs: At[list[Batch], Stages] = []
        arrived: At[Batch | None, Stages] = None
        for tick in range(ticks):
            made = forward(weights, entering(self.mesh.rank, tick, batches, arrived))
            outputs = kept(self.mesh.rank, self.mesh.count, outputs, made)
            arrived = self.mesh.shift(made)
        return outputs
