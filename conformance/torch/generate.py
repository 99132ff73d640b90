"""Make the conformance tables of the PyTorch models from the real library.

    /usr/bin/python3 conformance/torch/generate.py           write the tables
    /usr/bin/python3 conformance/torch/generate.py --check   compare them with the installed library

There are two sets of tables. `table/` is written with the pinned release, PyTorch 1.13 (Debian's python3-torch), and
`current.tsv` holds its rows whose outcome differs in the current one (`target/venvs/torch-current/bin/python`); `today/` is
written with the current release, and `pinned.tsv` holds its rows whose outcome differs in the pinned one, `-` where a name
does not exist there or the outcome is not the same in every process. Each release writes or compares what it is the oracle of; `missing.tsv` lists the public names of the current
release that are not modelled (`cargo xtask modelled --missing`).

A row is `expression<TAB>outcome`; statements before the last `; ` are run first. In an expression `t(2, 3)` is a float32 tensor of
that shape, `i(2, 3)` an int64 tensor of zeros, `b(2, 3)` a bool tensor; `d`, `h`, `bf`, `c`, `u` and `s` are float64, float16, bfloat16,
complex64, uint8 and int32; `nn` is torch.nn and `F` is torch.nn.functional. The outcome is `(2, 3) float32` for a tensor, `[…; …]` for
a sequence, `= 5` for a plain value, `!ValueError` for an exception. Rows are the same on every machine.
"""

import importlib
import sys
import warnings
from collections import OrderedDict
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tables import settle_table  # noqa: E402

FAMILIES = ["elementwise", "reductions", "reshaping", "joining", "indexing", "creation", "products", "windows", "layers", "losses", "sequences", "modules"]
TODAY = ["dtypes", "inplace", "more_names", "spectral", "attending", "sliding", "chains", "strides"]
PINNED = "1.13"

warnings.simplefilter("ignore")
torch.set_num_threads(1)


def t(*shape):
    return torch.rand(shape)


def i(*shape):
    return torch.zeros(shape, dtype=torch.int64)


def b(*shape):
    return torch.zeros(shape, dtype=torch.bool)


def maker_of(dtype):
    return lambda *shape: torch.ones(shape, dtype=dtype)


NAMES = {
    "d": maker_of(torch.float64),
    "h": maker_of(torch.float16),
    "bf": maker_of(torch.bfloat16),
    "c": maker_of(torch.complex64),
    "u": maker_of(torch.uint8),
    "s": maker_of(torch.int32),
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
    *statements, last = expression.split("; ")
    scope = dict(NAMES)
    try:
        for statement in statements:
            exec(statement, scope)
        return show(eval(last, scope))
    except AttributeError as error:
        return ABSENT if is_absent(error) else "!AttributeError"
    except Exception as error:
        return "!" + type(error).__name__


ABSENT = "-"

# PyTorch 1.13 reads memory that it has not initialized in these functions: the same call raises in one process and returns in the next.
UNREPEATABLE = {"torch.slice_scatter"}


def is_absent(error):
    """Whether a release lacks a function or method that another one has."""
    return isinstance(error.obj, (type(torch), torch.Tensor)) and not hasattr(error.obj, error.name)


def is_unrepeatable(expression):
    """Whether what this release answers depends on the process."""
    return torch.__version__.startswith(PINNED) and expression.split("(")[0] in UNREPEATABLE


def rows_of(family):
    """The expressions of one family, in the order the family makes them, each once."""
    return list(dict.fromkeys(importlib.import_module(f"families.{family}").rows()))


def written(family):
    """All rows of one family of `table`."""
    lines = []
    for expression in rows_of(family):
        result = outcome(expression)
        if result == ABSENT:
            result = "!AttributeError"
        if result is None:
            raise SystemExit(f"{family}: no text for the value of {expression}")
        lines.append(f"{expression}\t{result}\n")
    return lines


def written_today(family):
    """All rows of one family of `today` whose value has a text."""
    outcomes = ((expression, outcome(expression)) for expression in rows_of(family))
    return [f"{expression}\t{result}\n" for expression, result in outcomes if result not in (None, ABSENT)]


def differences(folder, families):
    """The rows of committed tables whose outcome is another one in this release; a value without a text counts as absent."""
    lines = []
    for family in families:
        for line in (HERE / folder / f"{family}.tsv").read_text(encoding="utf-8").splitlines():
            expression, known = line.split("\t")
            result = ABSENT if is_unrepeatable(expression) else outcome(expression) or ABSENT
            if folder == "table" and result == ABSENT:
                result = "!AttributeError"
            if result != known:
                lines.append(f"{expression}\t{result}\n")
    return lines


def main():
    check = "--check" in sys.argv[1:]
    sys.path.insert(0, str(HERE))
    is_pinned = torch.__version__.startswith(PINNED)
    folder, families, write = ("table", FAMILIES, written) if is_pinned else ("today", TODAY, written_today)
    texts = {HERE / folder / f"{family}.tsv": write(family) for family in families}
    total = sum(map(len, texts.values()))
    other = ("pinned.tsv", "today", TODAY) if is_pinned else ("current.tsv", "table", FAMILIES)
    texts[HERE / other[0]] = differences(*other[1:])
    if not is_pinned:
        texts[HERE / "missing.tsv"] = importlib.import_module("names").missing_lines()
    print(f"{total} rows in {len(families)} families, PyTorch {torch.__version__}; {len(texts[HERE / other[0]])} of the other tables' rows differ")
    different = [path.name for path, lines in texts.items() if not settle_table(path, lines, check)]
    if different:
        raise SystemExit("these tables differ from the library: " + ", ".join(different))


if __name__ == "__main__":
    main()
