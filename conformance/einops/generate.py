"""Make the conformance table of the einops models from the real library, on NumPy arrays.

    target/venvs/einops/bin/python conformance/einops/generate.py           write the table
    target/venvs/einops/bin/python conformance/einops/generate.py --check   compare it with the installed library

A row is `expression<TAB>outcome`, as in the table of NumPy.
"""

import sys
from itertools import product
from pathlib import Path

import einops
import numpy as np
from einops import einsum, pack, parse_shape, rearrange, reduce, repeat, unpack

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tables import settle_table  # noqa: E402
NAMES = {"np": np, "einsum": einsum, "pack": pack, "parse_shape": parse_shape, "rearrange": rearrange, "reduce": reduce,
         "repeat": repeat, "unpack": unpack}
SHAPES = [(), (6,), (1,), (4, 6), (2, 3, 4), (6, 1, 4), (2, 3, 8, 8), (1, 3, 32, 32), (2, 4, 6, 3, 5), (0, 3)]
PATTERNS = [
    "b c h w -> b h w c", "b c h w -> b (c h w)", "b c h w -> (b c) h w", "b c h w -> b c (h w)", "b c (h p) (w q) -> b (h w) (p q c)",
    "b c (h 2) (w 2) -> b c h w", "... h w -> ... (h w)", "b ... -> b (...)", "b ... d -> b d ...", "... -> ...", "(...) a -> a",
    "a b -> b a", "a b -> (a b)", "a b -> (b a)", "(a b) c -> a b c", "a (b c) -> b a c", "a b c -> c b a", "a b c -> a (b c) 1",
    "a -> a 1", "a -> 1 a ()", "1 a -> a", "a 1 b -> a b", "a () b -> b a", "-> 1", "a -> (a)", "a b -> a", "a -> a b", "a a -> a",
    "a b -> a b b", "a (b -> b a", "a b) -> a b", "a ((b c) d) -> a b c d", "a b", "a b -> b -> a", "a_ b -> b a_", "_a b -> b _a",
    "a.b -> a b", "a.. b -> a b", "a 3 -> a", "3 a -> a 3", "2 a b -> a b", "a b-> b a", "a  b->b   a", "h w c -> c h w", "x y1 -> y1 x",
    "b n (h d) -> b h n d", "b (n p) d -> b n p d", "a b -> a ... b", "if b -> b if", "a 0 -> a", "a b -> a 0", "a b -> 1 1 a b",
]
LENGTHS = ["", ", p=2, q=2", ", p=4, q=4", ", a=2", ", a=3", ", b=2", ", b=5", ", a=2, b=3", ", h=2", ", d=4", ", n=2", ", n=2, p=3", ", z=2", ", c=3, b=2", ", b=2, c=2"]


def array(shape):
    return f"np.ones({shape})"


def rows():
    for shape, pattern, lengths in product(SHAPES, PATTERNS, LENGTHS):
        used = all(part.split("=")[0].strip() in pattern.replace("(", " ").replace(")", " ").split() for part in lengths.split(",")[1:])
        if used or lengths == ", z=2" and pattern == "a b -> b a":
            yield f"rearrange({array(shape)}, '{pattern}'{lengths})"
    for shape, reduction in product(SHAPES, ["mean", "max", "sum", "prod", "min", "any", "median"]):
        for pattern, lengths in [
            ("b c h w -> b c", ""), ("b c (h 2) (w 2) -> b c h w", ""), ("b c h w -> b c 1 1", ""), ("b c h w -> b c () ()", ""), ("a b -> a", ""), ("a b -> ", ""), ("a b -> a c", ""),
            ("... a -> ...", ""), ("a ... -> a", ""), ("(a a2) b -> a b", ", a2=2"), ("(a a2) b -> a b", ", a2=5"), ("a b c -> b", ""), ("a b c -> (a c)", ""), ("b c (h p) (w q) -> b c h w", ", p=4, q=8"),
            ("a -> a b", ""), ("a 2 -> a", ""), ("a 3 b -> a b", ""), ("... -> ", ""), ("... -> 1", ""), ("a ... -> ... a", ""),
        ]:
            yield f"reduce({array(shape)}, '{pattern}', '{reduction}'{lengths})"
    for dtype, reduction in product(["int64", "int32", "bool", "float32"], ["mean", "max", "sum", "prod", "any"]):
        yield f"reduce(np.ones((4, 6), dtype='{dtype}'), 'a b -> a', '{reduction}')"
    for shape in SHAPES:
        for pattern, lengths in [
            ("h w -> h w c", ", c=3"), ("h w -> h w c", ""), ("h w -> (2 h) w", ""), ("h w -> h (w 2)", ""), ("h w -> (h h2) (w w2)", ", h2=2, w2=3"), ("h w -> h", ""), ("a b c -> r a b c", ", r=4"),
            ("... -> ... n", ", n=2"), ("... -> n ...", ", n=0"), ("a -> a b c", ", b=2, c=3"), ("a -> (a b)", ", b=4"), ("1 a -> b a", ", b=3"), ("() a b -> n a b", ", n=7"), ("a b -> a b", ", c=2"),
            ("2 b -> b", ""), ("2 b -> b 2", ""), ("a b -> a 3 b", ""), ("a (b c) -> a b c d", ", c=2, d=5"), ("a b -> b 2 a 2", ""), ("a -> a a2", ", a2=1"),
        ]:
            yield f"repeat({array(shape)}, '{pattern}'{lengths})"
    for first, second in product([(2, 3), (3, 4), (2, 3, 4), (5, 2, 3), (4,)], repeat=2):
        for pattern in ["a b, b c -> a c", "i j, j k -> k i", "batch i j, j k -> batch i k", "b i j, b j k -> b i k", "... i j, j k -> ... i k", "a b, a b -> a b", "a b, a b ->",
                        "a b, c d -> a b c d", "x, y -> x y", "a b, b c -> a z", "a b, b c", "a b -> a", "a (b c), b -> a", "i j, i j, i j -> i", "a a, a b -> b", "row col, col out -> row out", "a 1, b c -> a b"]:
            yield f"einsum({array(first)}, {array(second)}, '{pattern}')"
    for shape in [(3, 3), (2, 3), (4,), (2, 3, 3)]:
        for pattern in ["a b -> b a", "a a -> a", "a b -> ", "... a -> ...", "b a a -> b"]:
            yield f"einsum({array(shape)}, '{pattern}')"
    groups = [[(2, 3), (2, 4, 3)], [(2, 3), (2, 3)], [(2, 3), (2, 5, 4, 3)], [(2, 3, 5), (2, 5)], [(3,), (2, 3)], [(2, 3), (4, 3)], [(2, 3)], [(2, 4, 5, 3), (2, 3), (2, 7, 3)], [(6,), ()]]
    for group, pattern in product(groups, ["b * c", "b *", "* c", "*", "b * c d", "b c *", "b c", "b * *", "b b *", "b ... *", "(b c) *"]):
        inner = ", ".join(array(shape) for shape in group)
        yield f"pack([{inner}], '{pattern}')[0]"
        yield f"pack([{inner}], '{pattern}')[1]"
    for shape in [(2, 5, 3), (2, 8, 3), (2, 8), (8,), (2, 8, 3, 4)]:
        for parts, pattern in product(["[(), (4,)]", "[(2,), (3,), (3,)]", "[(2, 2), (4,)]", "[(8,)]", "[(1, 5)]", "[(), (), (6,)]", "[]"], ["b * c", "b *", "*", "* c", "b c * d"]):
            yield f"unpack({array(shape)}, {parts}, '{pattern}')"
    for shape, pattern in product(SHAPES, ["b c h w", "b _ h w", "a b", "... a", "a 1 b", "a", "_ _", "a a", "(a b)", "b ..."]):
        yield f"parse_shape({array(shape)}, '{pattern}')"


def show(value):
    if isinstance(value, np.generic):
        return f"scalar {value.dtype.name}"
    if isinstance(value, np.ndarray):
        return f"{tuple(value.shape)} {value.dtype}"
    if isinstance(value, (tuple, list)):
        parts = [show(part) for part in value]
        if all(part is not None and part.startswith("= ") for part in parts):
            inner = ", ".join(part[2:] for part in parts)
            if isinstance(value, list):
                return f"= [{inner}]"
            return f"= ({inner},)" if len(parts) == 1 else f"= ({inner})"
        return None if None in parts else "[" + "; ".join(parts) + "]"
    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, dict):
        return "= {" + ", ".join(f"{key!r}: {part!r}" for key, part in value.items()) + "}"
    return None


def outcome(expression):
    try:
        return show(eval(expression, dict(NAMES)))
    except Exception as error:
        return "!" + type(error).__name__


def main():
    lines = []
    for expression in dict.fromkeys(rows()):
        result = outcome(expression)
        if result is None:
            raise SystemExit(f"no text for the value of {expression}")
        lines.append(f"{expression}\t{result}\n")
    path = HERE / "table" / "einops.tsv"
    print(f"{len(lines)} rows, einops {einops.__version__}")
    if not settle_table(path, lines, "--check" in sys.argv):
        raise SystemExit("the table differs from the library")


if __name__ == "__main__":
    main()
