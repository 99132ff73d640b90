"""Shapes and small combinators that the families share."""

from itertools import product

SCALAR, EMPTY, ONE = (), (0,), (1,)
SHAPES = [(), (1,), (3,), (0,), (2, 3), (1, 3), (2, 0), (2, 3, 4), (1, 1, 4), (2, 3, 4, 5), (1, 2, 1, 2, 1), (1, 2, 1, 2, 1, 2)]
FEW = [(), (3,), (2, 3), (0, 3), (2, 3, 4)]


def text(shape):
    return ", ".join(map(str, shape))


def t(*shape):
    return f"t({text(shape)})"


def i(*shape):
    return f"i({text(shape)})"


def b(*shape):
    return f"b({text(shape)})"


def fill(templates, **choices):
    """Every template with every combination of the choices."""
    names = list(choices)
    for template in templates:
        used = [name for name in names if "{" + name + "}" in template]
        for values in product(*(choices[name] for name in used)):
            row = template
            for name, value in zip(used, values):
                row = row.replace("{" + name + "}", str(value))
            yield row
