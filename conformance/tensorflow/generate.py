"""Make the conformance tables of the TensorFlow and Keras models from two releases of the real libraries.

    PYTHON generate.py --beside OTHER           write the tables: PYTHON has the current TensorFlow, OTHER has 2.13 (Keras 2)
    PYTHON generate.py --beside OTHER --check   compare them with the installed libraries

A row is `expression<TAB>outcome`. In an expression `t(2, 3)` is a float32 tensor of that shape, `i(2, 3)` an int32 tensor of
zeros, `n(2, 3)` a NumPy array, `S(3)` a symbolic input of shape (None, 3), `L` is tf.keras.layers, `K` is tf.keras. The outcome is
`(None, 3) float32` for a tensor, `[…; …]` for a sequence, `= 5` for a plain value, `!ValueError` for an exception. Where the releases raise
different classes both are named (`!A/B`); where only one of them raises, the row has the result of the other; rows on
which two results differ are left out.
"""

import contextlib
import importlib
import io
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

os.environ.update(CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tables import settle_table  # noqa: E402

# The folders beside this one have the names of libraries that Keras looks for.
sys.path.remove(str(HERE.parent))
FAMILIES = ["layers", "windows", "sequences", "models", "training", "functions", "operators"]


def names():
    """What expressions may use."""
    import numpy as np
    import tensorflow as tf

    return {
        "tf": tf,
        "np": np,
        "K": tf.keras,
        "L": tf.keras.layers,
        "t": lambda *shape: tf.ones(shape),
        "i": lambda *shape: tf.zeros(shape, dtype=tf.int32),
        "n": lambda *shape: np.ones(shape),
        "S": lambda *shape: tf.keras.Input(shape),
    }


def show(value):
    """The outcome's text; None when a table cannot hold it."""
    import numpy as np

    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, (tuple, list)):
        parts = [show(part) for part in value]
        return None if None in parts else "[" + "; ".join(parts) + "]"
    if isinstance(value, np.ndarray):
        return f"{value.shape} {value.dtype.name}"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        shape = tuple(value.shape)
        return f"{shape} {getattr(value.dtype, 'name', value.dtype)}"
    return None


def outcome(expression, known):
    """What the library does."""
    *statements, last = expression.split("; ")
    scope = dict(known)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for statement in statements:
                exec(statement, scope)
            return show(eval(last, scope))
    except Exception as error:
        return "!" + type(error).__name__


def expressions(family):
    """All expressions of one family, each once."""
    return list(dict.fromkeys(importlib.import_module(f"families.{family}").rows()))


def observed():
    """The outcomes of all families in this Python."""
    warnings.simplefilter("ignore")
    known = names()
    return {family: [outcome(expression, known) for expression in expressions(family)] for family in FAMILIES}


def agreed(one, two):
    """What both releases say; None where their results differ."""
    if one is None or two is None:
        return None
    if one == two or two.startswith("!") and not one.startswith("!"):
        return one
    if one.startswith("!") and not two.startswith("!"):
        return two
    if one.startswith("!"):
        return f"{one}/{two[1:]}"
    return None


def main():
    """Write or check."""
    sys.path.insert(0, str(HERE))
    if "--dump" in sys.argv:
        result = observed()
        Path(sys.argv[sys.argv.index("--dump") + 1]).write_text(json.dumps(result))
        return
    other = sys.argv[sys.argv.index("--beside") + 1]
    dump = HERE / "table" / ".other.json"
    with subprocess.Popen([other, __file__, "--dump", str(dump)], stderr=subprocess.DEVNULL) as child:
        own = observed()
        if child.wait() != 0:
            raise SystemExit(f"{other} does not answer")
    beside = json.loads(dump.read_text())
    dump.unlink()
    total, left_out, different = 0, 0, []
    for family in FAMILIES:
        lines = []
        for expression, one, two in zip(expressions(family), own[family], beside[family], strict=True):
            result = agreed(one, two)
            if result is None:
                left_out += 1
            else:
                lines.append(f"{expression}\t{result}\n")
        total += len(lines)
        path = HERE / "table" / f"{family}.tsv"
        if not settle_table(path, lines, "--check" in sys.argv):
            different.append(family)
    print(f"{total} rows in {len(FAMILIES)} families, {left_out} left out because two releases differ")
    if different:
        raise SystemExit("these tables differ from the libraries: " + ", ".join(different))


if __name__ == "__main__":
    main()
