"""Write, or check, the conformance table of NumPy: what each call returns or raises.

A row is Python source, a tab, and its outcome under the installed NumPy:

    np.ones((2,3)).sum(axis=1)<TAB>(2,) float64      an array
    np.sum(np.ones(3))<TAB>scalar float64            a NumPy scalar
    np.ones((2,3)).shape<TAB>= (2, 3)                a Python value (`= float` for any float)
    np.ones((2,3)) @ np.ones(2)<TAB>!ValueError      an exception, by its public class
    np.nonzero(np.ones(3))<TAB>[(3,) int64]          a tuple or list of outcomes
    np.ones(3).flat<TAB>object flatiter              anything else

Statements are separated by `; ` and the last one is the value. Sections (`# np.sum`) name the
operation. `generate.py` rewrites `table/`; `generate.py --check` fails if a row differs.
"""

import argparse
import builtins
import importlib
import pathlib
import sys
import warnings

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
FAMILIES = ["creation", "elementwise", "reductions", "manipulation", "indexing", "linear", "random", "subclasses"]


def public_class(error):
    """The name of the first class in the error's ancestry that user code can name."""
    for cls in type(error).__mro__:
        if getattr(builtins, cls.__name__, None) is cls:
            return cls.__name__
        if getattr(np.exceptions, cls.__name__, None) is cls or cls in (np.linalg.LinAlgError, np.ma.MaskError):
            return cls.__name__
    raise AssertionError(f"no public class for {error!r}")


def describe(value, depth=0):
    """The outcome text of a value."""
    if isinstance(value, np.ndarray):
        return f"{value.shape} {value.dtype.name}"
    if isinstance(value, np.generic):
        return f"scalar {value.dtype.name}"
    if isinstance(value, (float, complex)):
        return f"= {type(value).__name__}"
    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, (tuple, list)):
        if all(type(item) is int for item in value):
            return f"= {value!r}"
        if depth < 2:
            return "[" + "; ".join(describe(item, depth + 1) for item in value) + "]"
    return f"object {type(value).__name__}"


def outcome(source):
    """Run one row."""
    *statements, expression = source.split("; ")
    scope = {"np": np}
    np.random.seed(0)
    try:
        for statement in statements:
            exec(statement, scope)
        return describe(eval(expression, scope))
    except Exception as error:
        return "!" + public_class(error)


def table(family):
    """All rows of a family, by subject, in order of first appearance, each call once."""
    module = importlib.import_module(f"families.{family}")
    subjects = {}
    seen = set()
    for subject, source in module.rows():
        if source not in seen:
            seen.add(source)
            subjects.setdefault(subject, []).append(f"{source}\t{outcome(source)}")
    return subjects


def render(family):
    """The text of a family's file."""
    lines = [f"# NumPy {np.__version__}: {family}, written by conformance/numpy/generate.py"]
    for subject, rows in table(family).items():
        lines += ["", f"# {subject}", *rows]
    return "\n".join(lines) + "\n"


def main():
    """Rewrite or check every family and print how much there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the committed table instead of writing it")
    arguments = parser.parse_args()
    sys.path.insert(0, str(HERE))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    folder = HERE / "table"
    folder.mkdir(exist_ok=True)
    total, subjects, differing = 0, set(), 0
    for family in FAMILIES:
        text = render(family)
        path = folder / f"{family}.tsv"
        rows = [line for line in text.splitlines() if "\t" in line]
        subjects |= {line for line in text.splitlines()[1:] if line.startswith("# ")}
        total += len(rows)
        print(f"{family:14} {len(rows):6} rows, {sum(chr(9) + '!' in row for row in rows):5} of them raise")
        if arguments.check:
            committed = path.read_text().splitlines()[1:] if path.exists() else []
            for ours, theirs in zip(text.splitlines()[1:], committed):
                if ours != theirs:
                    differing += 1
                    print(f"  installed: {ours}\n  committed: {theirs}")
            differing += abs(len(text.splitlines()[1:]) - len(committed))
        else:
            path.write_text(text)
    print(f"{'all':14} {total:6} rows on {len(subjects)} operations")
    if differing:
        sys.exit(f"{differing} rows differ from the installed NumPy {np.__version__}")


if __name__ == "__main__":
    main()
