"""Make the conformance tables of the PyTorch models from the real library.

    /usr/bin/python3 conformance/torch/generate.py           write the tables
    /usr/bin/python3 conformance/torch/generate.py --check   compare them with the installed library

Under another release than the pinned one (`target/venvs/torch-current/bin/python`), only the rows whose outcome
differs are written or compared: `current.tsv`, which the replay puts in the place of theirs.

A row is `expression<TAB>outcome`. In an expression `t(2, 3)` is a float32 tensor of that shape, `i(2, 3)` an
int64 tensor of zeros, `b(2, 3)` a bool tensor, `nn` is torch.nn and `F` is torch.nn.functional. The outcome is
`(2, 3) float32` for a tensor, `[…; …]` for a sequence, `= 5` for a plain value, `!ValueError` for an exception.
The pinned library is PyTorch 1.13 (Debian's python3-torch); rows are the same on every machine.
"""

import importlib
import sys
import warnings
from collections import OrderedDict
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
FAMILIES = ["elementwise", "reductions", "reshaping", "joining", "indexing", "creation", "products", "windows", "layers", "losses", "sequences", "modules"]
PINNED = "1.13"

warnings.simplefilter("ignore")
torch.set_num_threads(1)


def t(*shape):
    return torch.rand(shape)


def i(*shape):
    return torch.zeros(shape, dtype=torch.int64)


def b(*shape):
    return torch.zeros(shape, dtype=torch.bool)


NAMES = {
    "torch": torch,
    "nn": torch.nn,
    "F": torch.nn.functional,
    "t": t,
    "i": i,
    "b": b,
    "OrderedDict": OrderedDict,
    "data": importlib.import_module("torch.utils.data"),
}


def show(value):
    """The outcome's text; None when a table cannot hold it."""
    if isinstance(value, torch.Tensor):
        return f"{tuple(value.shape)} {str(value.dtype).removeprefix('torch.')}"
    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, torch.Size):
        return f"= {tuple(value)!r}"
    if isinstance(value, (tuple, list)):
        parts = [show(part) for part in value]
        if all(part is not None and part.startswith("= ") for part in parts):
            inner = ", ".join(part[2:] for part in parts)
            if isinstance(value, list):
                return f"= [{inner}]"
            return f"= ({inner},)" if len(parts) == 1 else f"= ({inner})"
        return None if None in parts else "[" + "; ".join(parts) + "]"
    return None


def outcome(expression):
    torch.manual_seed(0)
    try:
        return show(eval(expression, dict(NAMES)))
    except Exception as error:
        return "!" + type(error).__name__


def table(family):
    """All rows of one family, in the order the family makes them, each expression once."""
    rows = importlib.import_module(f"families.{family}").rows()
    lines = []
    for expression in dict.fromkeys(rows):
        result = outcome(expression)
        if result is None:
            raise SystemExit(f"{family}: no text for the value of {expression}")
        lines.append(f"{expression}\t{result}\n")
    return "".join(lines)


def current(check):
    """The rows whose outcome is another one in this release."""
    lines, total = [], 0
    for family in FAMILIES:
        for line in (HERE / "table" / f"{family}.tsv").read_text(encoding="utf-8").splitlines():
            expression, pinned = line.split("\t")
            total += 1
            result = outcome(expression)
            if result != pinned:
                lines.append(f"{expression}\t{result}\n")
    path = HERE / "current.tsv"
    print(f"{total} rows, {len(lines)} of them different in PyTorch {torch.__version__}")
    if not check:
        path.write_text("".join(lines), encoding="utf-8")
    elif path.read_text(encoding="utf-8") != "".join(lines):
        raise SystemExit("current.tsv differs from the library")


def main():
    check = "--check" in sys.argv[1:]
    if not torch.__version__.startswith(PINNED):
        return current(check)
    sys.path.insert(0, str(HERE))
    total, different = 0, []
    for family in FAMILIES:
        text = table(family)
        total += text.count("\n")
        path = HERE / "table" / f"{family}.tsv"
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            different.append(family)
    print(f"{total} rows in {len(FAMILIES)} families, PyTorch {torch.__version__}")
    if different:
        raise SystemExit("these tables differ from the library: " + ", ".join(different))


if __name__ == "__main__":
    main()
