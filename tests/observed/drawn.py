"""Holds `pytrope draw` to PyTorch: `drawn.py PYTROPE`.

Each entry of `drawn_models.py` is run by PyTorch with hooks on its layers and drawn by Pytrope. Both must agree about the calls of
layers in their order, output shapes, parameters, multiply-adds of linear layers and convolutions, and about which model fails.
Prints `N passed, N failed` last.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import drawn_models
import torch
from torch import nn

FOLDER = Path(__file__).parent
# Inputs by name: sizes, and whether the tensor holds indices.
CASES: dict[str, dict[str, tuple[list[int], bool]]] = {
    "mlp()": {"input": ([3, 20], False)},
    "Functional()": {"x": ([2, 1, 28, 28], False)},
    "ResNet()": {"x": ([2, 3, 32, 32], False)},
    "Block()": {"x": ([2, 7, 64], False)},
    "GPT()": {"idx": ([2, 16], True)},
    "UNet()": {"x": ([1, 3, 64, 64], False)},
    "Tagger()": {"tokens": ([2, 9], True)},
    "Seq2Seq()": {"src": ([7, 2, 10], False)},
    "VAE()": {"x": ([2, 1, 28, 28], False)},
    "Mobile()": {"x": ([2, 3, 64, 64], False)},
    "Encoder()": {"x": ([2, 5, 32], False)},
    "Siamese()": {"a": ([2, 4, 20], False), "b": ([2, 4, 30], False)},
    "Graph()": {"x": ([5, 6], False), "adj": ([5, 5], False)},
    "Wrong()": {"x": ([2, 3, 32, 32], False)},
    "WrongSum()": {"x": ([2, 4], False)},
    "Uncalled(8, 2)": {"x": ([2, 8], False)},
    "Machine()": {"src": ([2, 7], True), "tgt": ([2, 5], True)},
    "DecoderOnly()": {"x": ([2, 5, 16], False)},
    "Nested()": {"x": ([2, 5, 16], False)},
    "Heads()": {"x": ([3, 12], False)},
    "TiedAutoencoder()": {"x": ([3, 30], False)},
    "SharedLayer()": {"x": ([3, 9], False)},
    "Buffers()": {"x": ([3, 8, 10], False)},
    "Dictionaries()": {"x": ([3, 4], False)},
    "Speech()": {"x": ([2, 11, 13], False)},
    "Cross()": {"q": ([2, 5, 32], False), "k": ([2, 6, 20], False), "v": ([2, 6, 24], False)},
    "Frozen()": {"x": ([2, 3, 9, 9], False)},
    "Audio()": {"x": ([2, 1, 400], False)},
    "Mixer()": {"x": ([2, 3, 32, 32], False)},
    "Video()": {"x": ([2, 3, 4, 16, 16], False)},
    "TiedHead()": {"tokens": ([2, 9], True)},
    "Bag()": {"tokens": ([2, 9], True)},
    "Squeeze()": {"x": ([2, 16, 12, 12], False)},
    "Lazy()": {"x": ([2, 5], False)},
    "pyramid()": {"input": ([2, 64], False)},
    "deep()": {"input": ([2, 8], False)},
    "Plain()": {"x": ([2, 5, 12], False)},
}
# Blocks of PyTorch's own that call layers for which the models have none.
UNDRAWN = ("dropout", "dropout1", "dropout2", "dropout3", "out_proj")


def shown(value: object) -> str:
    if isinstance(value, torch.Tensor):
        return str(tuple(value.shape))
    return ", ".join(map(shown, value)) if isinstance(value, (tuple, list)) else str(value)


def multiply_adds(layer: nn.Module, given: torch.Tensor, result: torch.Tensor) -> int | None:
    if isinstance(layer, (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)):
        return given.numel() * layer.weight[0].numel()
    if isinstance(layer, (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        return result.numel() * layer.weight[0].numel()
    return None


class Traced:
    """A run by PyTorch."""

    def __init__(self, entry: str) -> None:
        torch.manual_seed(0)
        self.model = eval(entry, vars(drawn_models))  # noqa: S307 -- our own entries
        self.parameters = sum(parameter.numel() for parameter in self.model.parameters())
        # name, class, output, multiply-adds
        self.rows: list[list[object]] = []
        self.error: Exception | None = None
        self.output = ""
        open_rows: list[list[object]] = []
        names: dict[nn.Module, str] = {}

        def enter(layer: nn.Module, _: object) -> None:
            open_rows.append([names[layer], type(layer).__name__, None, None])
            self.rows.append(open_rows[-1])

        def leave(layer: nn.Module, given: tuple[torch.Tensor, ...], result: torch.Tensor) -> None:
            row = open_rows.pop()
            row[2:] = [shown(result), multiply_adds(layer, given[0], result)]

        for path, layer in self.model.named_modules():
            name = path.rsplit(".", 1)[-1]
            if path and name not in UNDRAWN:
                names[layer] = name
                layer.register_forward_pre_hook(enter)
                layer.register_forward_hook(leave)
        inputs = {
            name: torch.randint(0, 2, sizes) if is_index else torch.rand(sizes)
            for name, (sizes, is_index) in CASES[entry].items()
        }
        try:
            self.output = shown(self.model(*inputs.values()))
        except RuntimeError as error:
            self.error = error


def drawn_rows(table: str) -> list[tuple[str, str, str, int | None]]:
    rows = []
    for line in table.splitlines()[4:]:
        matched = re.match(r"[│├└─ ]*([\w.]+) \((\w+)\)\s+(.*)$", line)
        if matched and matched[2] != "input":
            output, *numbers = re.split(r"\s{2,}", matched[3].strip())
            work = int(numbers[1].replace(",", "")) if len(numbers) > 1 else None
            rows.append((matched[1].rsplit(".", 1)[-1], matched[2], output, work))
    return rows


def differences(program: str, entry: str) -> list[str]:
    traced = Traced(entry)
    command = [program, "draw", "drawn_models.py", "--entry", entry]
    for name, (sizes, _) in CASES[entry].items():
        command += ["--input", f"{name}={','.join(map(str, sizes))}"]
    table = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False).stdout

    def stated(what: str) -> str | None:
        found = re.search(rf"^{what}: (.*)$", table, re.MULTILINE)
        return found and found[1]

    found = []
    if (stated("Parameters") or "").split(" ")[0].replace(",", "") != str(traced.parameters):
        found.append(f"parameters {stated('Parameters')}, PyTorch has {traced.parameters}")
    if traced.error is not None:
        return found + [f"PyTorch fails: {traced.error}"] * (stated("Fails") is None)
    if stated("Returns") != traced.output:
        found.append(f"returns {stated('Returns')}, PyTorch {traced.output}")
    rows = drawn_rows(table)
    for drawn, (name, kind, output, work) in zip(rows, traced.rows, strict=False):
        if drawn[:3] != (name, kind, output) or work is not None and drawn[3] != work:
            found.append(f"{drawn}, PyTorch {name, kind, output, work}")
    if len(rows) != len(traced.rows):
        found.append(f"{len(rows)} calls, PyTorch {len(traced.rows)}")
    return found


def main(program: str) -> int:
    failed = 0
    for entry in CASES:
        found = differences(str(Path(program).resolve()), entry)
        failed += bool(found)
        print(f"{'FAILED' if found else 'ok'}: {entry}", *found, sep="\n    ")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
