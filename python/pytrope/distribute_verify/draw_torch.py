# Runs in the interpreter that has the framework, which type checkers of this package do not see.
# mypy: ignore-errors
# pyright: basic, reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
"""Random numbers of a step: the ranks together draw the rows that one process draws.

After every batch that a loader gives, all generators begin at a number made of the data set, the pass over it and the batch, so
that what was drawn before (for weights, by an evaluation on one rank) does not matter.  What is drawn in the size of a rank's batch
is drawn in the size of the whole one, and the rank keeps the rows that belong to its samples:

    noise = torch.randn(len(x), 16)     # of two ranks with 8 samples each: rank 1 keeps rows 1, 3, 5, … of 16
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

# By name where the size stands among the positional arguments.
NUMPY_SIZES = {
    "normal": 2,
    "uniform": 2,
    "randint": 2,
    "choice": 1,
    "random": 0,
    "random_sample": 0,
    "standard_normal": 0,
}
IN_PLACE = ("normal_", "uniform_", "random_", "bernoulli_", "exponential_", "log_normal_")


# The place of what follows the last batch of a pass.
BEHIND_BATCHES = 1_000_002


class StepDraws:
    """The generators of one rank, from batch to batch."""

    def __init__(self, target: str | None) -> None:
        self.rank = int(os.environ.get("RANK", "0")) if target else 0
        self.ranks = int(os.environ.get("WORLD_SIZE", "1")) if target else 1
        # Accelerate gives whole batches to ranks in turn; a DistributedSampler deals out samples.
        self.in_blocks = target == "accelerate"
        # How many samples this rank's last batch has.
        self.batch = 0
        # Whether anything was drawn in the size of the batch.
        self.divided = False

    def begin_batch(self, place: tuple[int, int, int], size: int) -> None:
        """All generators begin at the number of a batch: its data set, the pass over it, its place in the pass."""
        self.batch = size
        dataset, number, at = place
        seed = (dataset * 1_000_003 + number) * 1_000_003 + at
        torch.manual_seed(seed)
        random.seed(seed)
        np.random.seed(seed % 2**32)

    def end_pass(self, place: tuple[int, int]) -> None:
        """What is drawn between passes is the same however many batches the rank has read: weights of the next fold's module."""
        self.begin_batch((*place, BEHIND_BATCHES), 0)

    def divides(self, rows: Any) -> bool:
        """Whether a draw of so many rows is one for each sample of this rank's batch."""
        return self.ranks > 1 and self.batch > 0 and isinstance(rows, (int, np.integer)) and rows == self.batch

    def keep_rows(self, whole: Any) -> Any:
        """This rank's rows of what was drawn for the whole batch."""
        self.divided = True
        if self.in_blocks:
            return whole[self.rank * self.batch : (self.rank + 1) * self.batch]
        return whole[self.rank :: self.ranks]

    def install(self) -> None:
        """Put these draws where scripts look for them."""
        for name in ("randn", "rand"):
            setattr(torch, name, self._by_dimensions(getattr(torch, name)))
        for name in ("randn_like", "rand_like", "randint_like"):
            setattr(torch, name, self._by_example(getattr(torch, name)))
        torch.randint = self._integers(torch.randint)
        torch.normal = self._normal(torch.normal, torch.randn)
        torch.bernoulli = self._bernoulli(torch.bernoulli, torch.rand)
        for name in IN_PLACE:
            setattr(torch.Tensor, name, self._in_place(getattr(torch.Tensor, name)))
        for name in ("randn", "rand"):
            setattr(np.random, name, self._by_dimensions(getattr(np.random, name)))
        for name, place in NUMPY_SIZES.items():
            setattr(np.random, name, self._by_size(getattr(np.random, name), place))

    def _rows(self, whole: Any, gradient: bool = False) -> Any:
        part = self.keep_rows(whole)
        return part.clone().requires_grad_(gradient) if isinstance(part, torch.Tensor) else np.array(part)

    def _by_dimensions(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        """`randn(8, 16)` and `randn((8, 16))`."""

        def drawing(*sizes: Any, **options: Any) -> Any:
            given = sizes or (options.get("size"),)
            shape: tuple[Any, ...] = (
                tuple(given[0]) if len(given) == 1 and isinstance(given[0], (tuple, list)) else given
            )
            if not shape or not self.divides(shape[0]) or options.get("out") is not None:
                return draw(*sizes, **options)
            options.pop("size", None)
            gradient = options.pop("requires_grad", False)
            return self._rows(draw(shape[0] * self.ranks, *shape[1:], **options), gradient)

        return drawing

    def _by_example(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        """`randn_like(x)`."""

        def drawing(example: Any, *args: Any, **options: Any) -> Any:
            if example.dim() == 0 or not self.divides(example.shape[0]):
                return draw(example, *args, **options)
            gradient = options.pop("requires_grad", False)
            whole = example.new_empty((example.shape[0] * self.ranks, *example.shape[1:]))
            return self._rows(draw(whole, *args, **options), gradient)

        return drawing

    def _integers(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        """`randint(10, (8,))` and `randint(0, 10, (8,))`."""

        def drawing(*args: Any, **options: Any) -> Any:
            size = options.get("size", args[-1] if args else None)
            if not isinstance(size, (tuple, list)) or not size or not self.divides(size[0]):
                return draw(*args, **options)
            whole = (size[0] * self.ranks, *size[1:])
            if "size" in options:
                return self._rows(draw(*args, **{**options, "size": whole}))
            return self._rows(draw(*args[:-1], whole, **options))

        return drawing

    def _normal(self, draw: Callable[..., Any], standard: Callable[..., Any]) -> Callable[..., Any]:
        """`normal(0, 1, (8, 16))`, and with tensors what is the same: standard normal numbers, scaled."""

        def drawing(mean: Any, std: Any = 1.0, size: Any = None, **options: Any) -> Any:
            if size is None and isinstance(mean, torch.Tensor) and options.get("out") is None:
                shape = torch.broadcast_shapes(mean.shape, std.shape) if isinstance(std, torch.Tensor) else mean.shape
                drawn = standard(tuple(shape), dtype=mean.dtype, device=mean.device, **options)
                return drawn * std + mean
            if isinstance(size, (tuple, list)) and size and self.divides(size[0]):
                gradient = options.pop("requires_grad", False)
                return self._rows(draw(mean, std, (size[0] * self.ranks, *size[1:]), **options), gradient)
            return draw(mean, std, **options) if size is None else draw(mean, std, size, **options)

        return drawing

    def _bernoulli(self, draw: Callable[..., Any], uniform: Callable[..., Any]) -> Callable[..., Any]:
        def drawing(chances: Any, *args: Any, **options: Any) -> Any:
            if args or options or chances.dim() == 0:
                return draw(chances, *args, **options)
            return (uniform(tuple(chances.shape), device=chances.device) < chances).to(chances.dtype)

        return drawing

    def _in_place(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        """`x.normal_()`; parameters are not of the batch's size on purpose."""

        def drawing(tensor: Any, *args: Any, **options: Any) -> Any:
            is_weight = isinstance(tensor, torch.nn.Parameter)
            if is_weight or tensor.dim() == 0 or not self.divides(tensor.shape[0]):
                return draw(tensor, *args, **options)
            whole = tensor.detach().new_empty((tensor.shape[0] * self.ranks, *tensor.shape[1:]))
            return tensor.copy_(self.keep_rows(draw(whole, *args, **options)))

        return drawing

    def _by_size(self, draw: Callable[..., Any], place: int) -> Callable[..., Any]:
        """`normal(0, 1, (8, 16))` of NumPy: the size stands at a place among the arguments, or has its name."""

        def drawing(*args: Any, **options: Any) -> Any:
            size = options.get("size", args[place] if len(args) > place else None)
            shape: tuple[Any, ...] = tuple(size) if isinstance(size, (tuple, list)) else (size,)
            if not shape or not self.divides(shape[0]):
                return draw(*args, **options)
            whole = (shape[0] * self.ranks, *shape[1:])
            if "size" in options:
                return self._rows(draw(*args, **{**options, "size": whole}))
            return self._rows(draw(*args[:place], whole, *args[place + 1 :], **options))

        return drawing
