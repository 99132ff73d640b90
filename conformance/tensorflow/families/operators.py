"""Operators, indices, conversions of tensors."""

from itertools import product

from ._shapes import t

SHAPES = [(), (3,), (2, 3), (1, 3), (2, 1), (2, 3, 4), (4,)]


def rows():
    for op, a, b in product(["+", "-", "*", "/", "**", "//", "%", "<", ">="], SHAPES, SHAPES):
        if op in "+<" or a == (2, 3):
            yield f"{t(*a)} {op} {t(*b)}"
    for op, number in product(["+", "*", "/", "-", "**", ">"], ["1", "2.5", "True", "n(3)", "[1.0, 2.0, 3.0]", "'a'", "None"]):
        yield f"t(2, 3) {op} {number}"
        yield f"i(2, 3) {op} {number}"
        if number not in ("n(3)", "None"):
            yield f"{number} {op} t(2, 3)"
    for op, a, b in product(["+", "*", "@"], ["t(3, 3)", "i(3, 3)", "tf.cast(t(3, 3), tf.float64)", "tf.cast(t(3, 3), tf.int64)"], ["t(3, 3)", "i(3, 3)", "tf.cast(t(3, 3), tf.float64)"]):
        yield f"{a} {op} {b}"
    keys = ["0", "-1", "2", "5", "-4", ":", "1:", ":-1", "::2", "None", "...", "0, 0", "0, 1, 2", "0, 1, 2, 3", ":, 0", ":, 5", "..., 0", ":, None", "0, ...", "1:1", "tf.newaxis", "0:5, 1:", "[0, 1]", "1.0", "'a'"]
    for shape, key in product(SHAPES, keys):
        yield f"{t(*shape)}[{key}]"
    for shape in SHAPES:
        yield f"-{t(*shape)}"
        yield f"abs({t(*shape)})"
        yield f"len({t(*shape)})"
        yield f"{t(*shape)}.shape[0]"
        yield f"{t(*shape)}.shape.as_list()"
        yield f"len({t(*shape)}.shape)"
        yield f"{t(*shape)}.shape.rank"
        if shape:
            yield f"{t(*shape)}.numpy()"
        yield f"{t(*shape)}.dtype.name"
        yield f"{t(*shape)} == {t(*shape)}"
        yield f"x = {t(*shape)}; x[0] = 1.0; 1"
        yield f"[row for row in {t(*shape)}]"
    for row in ["i(2) / i(2)", "i(2) // 2", "i(2) + 1", "i(2) + 1.5", "t(2) + i(2)", "x = tf.Variable(t(2, 3)); x[0] = 1.0; 1", "a, b = t(2, 3); a", "a, b = t(3, 3); a", "a, b = t(2, 3).shape; b", "tuple(t(2, 3).shape)", "t(2, 3).shape[5]", "t(2, 3).foo", "t(2, 3).reshape(6)", "t(2, 3).T"]:
        yield row
