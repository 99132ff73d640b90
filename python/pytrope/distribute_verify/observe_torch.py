# Runs in the interpreter that has the framework, which type checkers of this package do not see.
# mypy: ignore-errors
# pyright: basic, reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
"""PyTorch's watch: steps by ``backward``, weights by optimizers, samples by what loaders draw."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from draw_torch import StepDraws
from observe import MOVED_BY_GRADIENT, MOVED_BY_ROUNDING, NOT_MOVED, ROUNDING, Watch


class TorchWatch(Watch):
    def __init__(self, seed: int, job: dict[str, Any]) -> None:
        super().__init__(job.get("steps"))
        self.parameters: dict[int, Any] = {}
        # The largest gradient of each weight so far, by the parameter's address.
        self.peaks: dict[int, Any] = {}
        self.arrays: list[Any] | None = None
        self.movers: list[Any] = []
        self.random_state: bytes | None = None
        # The generators' state at the last step, or where the batch after it began.
        self.known_state: str | None = None
        self.last_pass: dict[str, Any] | None = None
        self.numbers: dict[int, int] = {}
        # The present pass over each data set, by its address.
        self.passes: dict[int, dict[str, Any]] = {}
        # Whether loaders of an engine give their batches some time after they were read.
        self.begins_later = False
        # Data sets stay alive, so that their addresses stay theirs.
        self.kept: list[Any] = []
        self.step_draws = StepDraws(job.get("target")) if job.get("in_order") else None
        # Batches with their samples in reverse show what rounding alone does.
        self.reverses = bool(job.get("reversed"))
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self._watch_backward()
        self._watch_optimizers()
        self._watch_loaders()
        self._watch_layers(bool(job.get("in_order")))
        self._watch_end()
        self._watch_saving()
        if self.step_draws is not None:
            _keep_order()
            _draw_samples_alike()
            _treat_samples_apart()
            self.step_draws.install()
            if job.get("target") == "accelerate":
                _keep_random_state_while_preparing()
                self._begin_batches_of_accelerate()

    def _watch_backward(self) -> None:
        backward = torch.Tensor.backward

        def watched(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            self.count_step()
            self._watch_random_numbers()
            if self.last_pass is not None:
                self.last_pass["trains"] = True
            self.saw_loss(tensor.detach().double().mean().item())
            done = backward(tensor, *args, **kwargs)
            self._watch_gradients()
            return done

        torch.Tensor.backward = watched

    def _watch_gradients(self) -> None:
        for key, parameter in self.parameters.items():
            gradient = parameter.grad
            if gradient is None or gradient.is_sparse:
                continue
            size = gradient.detach().abs()
            peak = self.peaks.get(key)
            self.peaks[key] = size if peak is None or peak.shape != size.shape else torch.maximum(peak, size)

    def _watch_random_numbers(self) -> None:
        """Steps that draw random numbers (noise of the batch's size) draw others on each rank.

        The generators' states are kept with each step: where they are those of one process, the same numbers were drawn.
        """
        state = _hash_random_state()
        if state != (self.known_state or state):
            self.layers.add("random numbers")
        self.known_state = state
        self.draws.append(state)
        if self.step_draws is not None and self.step_draws.divided:
            self.layers.add("random numbers for each sample")
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            # How far it advances does not tell how many numbers were drawn.
            there = bytes(torch.cuda.get_rng_state().numpy())
            if self.random_state is not None and there != self.random_state:
                self.layers.add("random numbers on the GPU")
            self.random_state = there

    def _watch_optimizers(self) -> None:
        init = torch.optim.Optimizer.__init__

        def making(optimizer: Any, *args: Any, **kwargs: Any) -> None:
            init(optimizer, *args, **kwargs)
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    self.parameters[id(parameter)] = parameter

        torch.optim.Optimizer.__init__ = making

    def _watch_loaders(self) -> None:
        from torch.utils.data import DataLoader, Subset
        from torch.utils.data.dataloader import _BaseDataLoaderIter

        iterate = DataLoader.__iter__
        draw = _BaseDataLoaderIter._next_index
        step = _BaseDataLoaderIter.__next__

        def iterating(loader: Any) -> Any:
            dataset = loader.dataset
            while isinstance(dataset, Subset):
                dataset = dataset.dataset
            if id(dataset) not in self.numbers:
                self.numbers[id(dataset)] = len(self.numbers)
                self.kept.append(dataset)
            number = self.numbers[id(dataset)]
            one_pass = {
                "dataset": number,
                "pass": sum(one["dataset"] == number for one in self.samples),
                "drawn": [],
                "batches": [],
                "begun": 0,
                "trains": False,
            }
            self.passes[id(loader.dataset)] = one_pass
            self.samples.append(one_pass)
            with _unchanged_random_state():
                return iterate(loader)

        def drawing(iterator: Any) -> Any:
            with _unchanged_random_state():
                indices = draw(iterator)
            one_pass = self.passes.get(id(iterator._dataset))
            if one_pass is not None and isinstance(indices, (list, tuple)):
                if self.reverses:
                    indices = list(reversed(indices))
                self.last_pass = one_pass
                # How many samples it has, and how many steps came before it.
                one_pass["batches"].append([len(indices), len(self.losses)])
                for index in indices:
                    dataset = iterator._dataset
                    while isinstance(dataset, Subset):
                        index = dataset.indices[index]
                        dataset = dataset.dataset
                    one_pass["drawn"].append(int(index))
            return indices

        def stepping(iterator: Any) -> Any:
            try:
                batch = step(iterator)
            except StopIteration:
                self._end_pass(iterator._dataset)
                raise
            if not self.begins_later:
                self._begin_batch(iterator._dataset)
            return batch

        DataLoader.__iter__ = iterating
        _BaseDataLoaderIter._next_index = drawing
        _BaseDataLoaderIter.__next__ = stepping

    def _begin_batch(self, dataset: Any) -> None:
        """A loader gives its next batch to the script."""
        one_pass = self.passes.get(id(dataset))
        if self.step_draws is None or one_pass is None or one_pass["begun"] >= len(one_pass["batches"]):
            return
        size, _ = one_pass["batches"][one_pass["begun"]]
        self.step_draws.begin_batch((one_pass["dataset"], one_pass["pass"], one_pass["begun"]), size)
        one_pass["begun"] += 1
        self._know_random_state()

    def _end_pass(self, dataset: Any) -> None:
        """A loader has no more batches."""
        one_pass = self.passes.get(id(dataset))
        if self.step_draws is not None and one_pass is not None:
            self.step_draws.end_pass((one_pass["dataset"], one_pass["pass"]))
            self._know_random_state()

    def _know_random_state(self) -> None:
        self.known_state = _hash_random_state()
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            self.random_state = bytes(torch.cuda.get_rng_state().numpy())

    def _begin_batches_of_accelerate(self) -> None:
        """Its loaders read one batch ahead of the one that they give."""
        from accelerate.data_loader import DataLoaderShard

        self.begins_later = True
        iterate = DataLoaderShard.__iter__

        def iterating(loader: Any) -> Any:
            for batch in iterate(loader):
                self._begin_batch(loader.dataset)
                yield batch
            self._end_pass(loader.dataset)

        DataLoaderShard.__iter__ = iterating

    def _watch_layers(self, apart: bool) -> None:
        """Layers that compute otherwise on a part of a batch; ``apart``, those that can be are kept from it."""
        call = torch.nn.Module.__call__

        def calling(module: Any, *args: Any, **kwargs: Any) -> Any:
            if module.training:
                kind = type(module).__name__
                if "BatchNorm" in kind and not (apart and getattr(module, "running_mean", None) is not None):
                    self.layers.add(kind)
                if apart and isinstance(module, (torch.nn.RNNBase, torch.nn.MultiheadAttention)):
                    module.dropout = 0.0
            return call(module, *args, **kwargs)

        torch.nn.Module.__call__ = calling

    def _watch_end(self) -> None:
        import torch.distributed as dist

        if not dist.is_available():
            return
        destroy = dist.destroy_process_group

        def destroying(*args: Any, **kwargs: Any) -> Any:
            self.capture_weights()
            return destroy(*args, **kwargs)

        dist.destroy_process_group = destroying

    def _watch_saving(self) -> None:
        save = torch.save

        def saving(content: Any, f: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(f, (str, os.PathLike)):
                self.saved[os.path.basename(f)] = sorted(_parts_of(content))
            return save(content, f, *args, **kwargs)

        torch.save = saving

    def capture_weights(self) -> None:
        if self.arrays is not None:
            return
        self.arrays = [_as_array(parameter) for parameter in self.parameters.values()]
        peaks = [_as_array(self.peaks[key]) if key in self.peaks else None for key in self.parameters]
        largest = max((float(peak.max()) for peak in peaks if peak is not None and peak.size), default=0.0)
        for array, peak in zip(self.arrays, peaks, strict=True):
            mover = np.full(array.shape, MOVED_BY_GRADIENT, dtype="uint8")
            if peak is not None and peak.shape == array.shape:
                mover[peak <= ROUNDING * largest] = MOVED_BY_ROUNDING
                mover[peak == 0] = NOT_MOVED
            self.movers.append(mover)

    def read_weights(self) -> list[Any]:
        self.capture_weights()
        return self.arrays or []

    def read_movers(self) -> list[Any]:
        return self.movers


def _parts_of(content: Any, name: str = "", depth: int = 4) -> Iterator[str]:
    """The names of what is saved: of a module those of its state, of a dictionary those of its items."""
    if isinstance(content, torch.nn.Module):
        content = content.state_dict()
    if isinstance(content, dict) and depth:
        for key, value in content.items():
            yield from _parts_of(value, f"{name}.{key}" if name else str(key), depth - 1)
    else:
        yield name


@contextlib.contextmanager
def _unchanged_random_state() -> Iterator[None]:
    """What loaders draw to seed themselves is not missed: they draw other numbers on many ranks than in one process."""
    state = torch.get_rng_state()
    yield
    torch.set_rng_state(state)


def _hash_random_state() -> str:
    """What PyTorch, Python and NumPy will draw next."""
    states = hashlib.sha256(bytes(torch.get_rng_state().numpy()))
    states.update(repr(random.getstate()).encode())
    _, keys, *place = np.random.get_state()
    states.update(keys.tobytes() + repr(place).encode())
    return states.hexdigest()[:16]


def _as_array(parameter: Any) -> Any:
    """A parameter as a NumPy array; a sharded one is gathered, which every rank must do at the same time."""
    value = parameter.detach()
    if hasattr(value, "full_tensor"):
        value = value.full_tensor()
    if value.dtype in (torch.bfloat16, torch.float16):
        value = value.float()
    return value.cpu().numpy().copy()


def _keep_random_state_while_preparing() -> None:
    """Accelerate draws a seed where it prepares a loader, on many ranks only; weights that are drawn later would be others."""
    import accelerate.accelerator

    prepare = accelerate.accelerator.prepare_data_loader

    def preparing(*args: Any, **kwargs: Any) -> Any:
        with _unchanged_random_state():
            return prepare(*args, **kwargs)

    accelerate.accelerator.prepare_data_loader = preparing


def _treat_samples_apart() -> None:
    """Each sample is computed as if it were alone, in the original and on the ranks: dropout lets everything through, and
    batch normalisation uses its running statistics. What is left of a difference is the distribution's."""
    from torch.nn import functional

    batch_norm = functional.batch_norm

    def normalise(
        input: Any,
        running_mean: Any,
        running_var: Any,
        weight: Any = None,
        bias: Any = None,
        training: bool = False,
        momentum: float = 0.1,
        eps: float = 1e-5,
    ) -> Any:
        training = training and running_mean is None
        return batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)

    def pass_on(input: Any, *_args: Any, **_kwargs: Any) -> Any:
        return input

    functional.batch_norm = normalise
    # PyTorch 2 has it.
    if hasattr(functional, "scaled_dot_product_attention"):
        attention = functional.scaled_dot_product_attention

        def attend(*args: Any, **kwargs: Any) -> Any:
            if "dropout_p" in kwargs:
                kwargs["dropout_p"] = 0.0
            return attention(*args, **kwargs)

        functional.scaled_dot_product_attention = attend
    for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"):
        setattr(functional, name, pass_on)
    torch.dropout = pass_on


@contextlib.contextmanager
def _seeded_by(number: int) -> Iterator[None]:
    """All generators begin at a number, and go on as if nothing had been drawn."""
    states = torch.get_rng_state(), random.getstate(), np.random.get_state()
    torch.default_generator.manual_seed(number)
    random.seed(number)
    np.random.seed(number)
    try:
        yield
    finally:
        torch.set_rng_state(states[0])
        random.setstate(states[1])
        np.random.set_state(states[2])


def _draw_samples_alike() -> None:
    """A sample is cropped, turned and coloured by its number alone: alike in one process and on the rank that reads it."""
    from torch.utils.data import Subset
    from torch.utils.data._utils.fetch import _MapDatasetFetcher

    def read(dataset: Any, index: Any) -> Any:
        inner, number = dataset, index
        while isinstance(inner, Subset) and isinstance(number, int):
            inner, number = inner.dataset, inner.indices[number]
        with _seeded_by(int(number) if isinstance(number, (int, np.integer)) else 0):
            return dataset[index]

    def fetch(fetcher: Any, indices: Any) -> Any:
        if not fetcher.auto_collation:
            return fetcher.collate_fn(read(fetcher.dataset, indices))
        return fetcher.collate_fn([read(fetcher.dataset, index) for index in indices])

    _MapDatasetFetcher.fetch = fetch


def _keep_order() -> None:
    """Permutations are the identity: a batch of one process and the parts of the ranks hold the same samples."""

    def in_order(n: int, *, generator: Any = None, out: Any = None, **options: Any) -> Any:
        options.pop("pin_memory", None)
        return torch.arange(n, **options)

    import torch.utils.data.dataset

    torch.randperm = in_order
    # `random_split` has it by a name of its own.
    torch.utils.data.dataset.randperm = in_order
