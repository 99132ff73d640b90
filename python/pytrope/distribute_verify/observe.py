# Runs in the interpreter that has the framework, which type checkers of this package do not see.
# mypy: ignore-errors
# pyright: basic, reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
"""Inside a rank: watches losses, trained weights and samples from outside the script, and fixes the order of samples."""

from __future__ import annotations

import hashlib
from typing import Any

# What moved a weight: its gradient, a gradient that is zero but for rounding (a bias before a softmax or BatchNorm), or nothing.
MOVED_BY_GRADIENT, MOVED_BY_ROUNDING, NOT_MOVED = 0, 1, 2
# A gradient that is smaller than this part of the largest one is rounding.
ROUNDING = 1e-6


class EnoughSteps(BaseException):
    """The number of training steps that was asked for is reached: the script ends here."""


class Watch:
    """What one rank did."""

    def __init__(self, limit: int | None) -> None:
        self.losses: list[float] = []
        # Per pass over a data set: its number in order of first use, the samples drawn, and whether steps were taken on them.
        self.samples: list[dict[str, Any]] = []
        # Kinds of layers that compute otherwise on a part of a batch.
        self.layers: set[str] = set()
        # The state of the random numbers at each step, where a framework's watch reads it.
        self.draws: list[str] = []
        # What files that the framework wrote hold: by the file's name the names of their parts, such as `state.fc.weight`.
        self.saved: dict[str, list[str]] = {}
        self.limit = limit

    def saw_loss(self, loss: float) -> None:
        self.losses.append(float(loss))

    def count_step(self) -> None:
        """Called before a step's gradients are computed."""
        if self.limit is not None and len(self.losses) >= self.limit:
            self.capture_weights()
            raise EnoughSteps

    def capture_weights(self) -> None:
        """Read the weights while they can be read: collective calls need the process group."""

    def read_weights(self) -> list[Any]:
        raise NotImplementedError

    def read_movers(self) -> list[Any]:
        """Per array of weights what moved each of them (`MOVED_*`); none where a framework's watch does not tell."""
        return []

    def describe_weights(self, folder: str | None, rank: int) -> dict[str, Any]:
        """A hash of all bytes, how many arrays there are, and their sum of absolute values."""
        weights = self.read_weights()
        sha = hashlib.sha256()
        for value in weights:
            sha.update(repr(value.shape).encode())
            sha.update(value.tobytes())
        if folder is not None:
            import json
            import os

            # Read by `compare`, in an interpreter that need not have NumPy.
            with open(os.path.join(folder, f"weights{rank}.bin"), "wb") as out:
                out.write(json.dumps([list(w.shape) for w in weights]).encode() + b"\n")
                out.writelines(w.astype("float32").tobytes() for w in weights)
                out.writelines(mover.tobytes() for mover in self.read_movers())
        norm = float(sum((abs(w.astype("float64")).sum() for w in weights), 0.0))
        return {"hash": sha.hexdigest(), "count": len(weights), "norm": norm}


def watch_framework(framework: str, seed: int, job: dict[str, Any]) -> Watch:
    """Install the watch of a framework into this process."""
    if job.get("in_order"):
        keep_order()
    if framework == "torch":
        from observe_torch import TorchWatch

        return TorchWatch(seed, job)
    from observe_tensorflow import TensorFlowWatch

    return TensorFlowWatch(seed, job)


def keep_order() -> None:
    """Shuffles of Python and NumPy give back the order that they were given."""
    import random

    import numpy as np

    def leave(*_arguments: Any, **_keywords: Any) -> None:
        return None

    def in_order(x: Any) -> Any:
        return np.arange(x) if isinstance(x, (int, np.integer)) else np.array(x)

    class OrderedState(np.random.RandomState):
        """What scikit-learn splits and folds by, with a seed or without."""

        def shuffle(self, x: Any) -> None:
            return None

        def permutation(self, x: Any) -> Any:
            return in_order(x)

    class OrderedGenerator(np.random.Generator):
        def shuffle(self, x: Any, axis: int = 0) -> None:
            return None

        def permutation(self, x: Any, axis: int = 0) -> Any:
            return in_order(x)

    random.shuffle = leave
    np.random.shuffle = leave
    np.random.permutation = in_order
    state = np.random.get_state()
    np.random.RandomState = OrderedState
    np.random.mtrand._rand = OrderedState()
    np.random.mtrand._rand.set_state(state)

    def ordered_generator(seed: Any = None) -> Any:
        if isinstance(seed, np.random.Generator):
            return seed
        return OrderedGenerator(seed if isinstance(seed, np.random.BitGenerator) else np.random.PCG64(seed))

    np.random.default_rng = ordered_generator
