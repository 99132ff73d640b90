"""Small changes to NumPy programs, made from their syntax trees: each mutant differs in one place.

Operators: size, axis, swap (operands), transpose (added or dropped), keepdims, reshape, slice, index.
"""

import ast
import random

REDUCTIONS = {"sum", "mean", "max", "min", "std", "var", "prod", "argmax", "argmin", "any", "all"}
MAKERS = {"zeros", "ones", "empty", "full", "eye", "random", "normal", "standard_normal", "integers", "uniform", "rand", "randn", "linspace", "arange", "choice", "permutation", "randint"}


class Change:
    """A replacement of one piece of source by another."""

    def __init__(self, operator, node, text):
        self.operator = operator
        self.start = (node.lineno, node.col_offset)
        self.end = (node.end_lineno, node.end_col_offset)
        self.text = text


def is_int(node):
    """Whether a node is a plain integer."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def integer(node):
    """The value of an integer literal, negative ones included; None for anything else."""
    if is_int(node):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and is_int(node.operand):
        return -node.operand.value
    return None


def called(node):
    """The last name of what a call calls."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    if isinstance(node.func, ast.Name):
        return node.func.id
    return ""


def sizes(tree):
    """Integers that become sizes: in shapes, and in what is assigned to names at the top."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in MAKERS:
            values = [*node.args, *[keyword.value for keyword in node.keywords if keyword.arg in {"size", "shape", "k", None}]]
            for value in values:
                for inner in value.elts if isinstance(value, ast.Tuple) else [value]:
                    if is_int(inner) and inner.value > 0:
                        yield Change("size", inner, str(inner.value + 1))
                        yield Change("size", inner, str(inner.value * 2))
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
            for value in values:
                if is_int(value) and value.value > 1:
                    yield Change("size", value, str(value.value + 1))
                if isinstance(value, ast.Call) and called(value) == "array" and value.args and isinstance(value.args[0], ast.List) and len(value.args[0].elts) > 1:
                    literal = value.args[0]
                    shorter = ast.List(elts=literal.elts[:-1], ctx=ast.Load())
                    yield Change("size", literal, ast.unparse(shorter))


def axes(tree):
    """Axis arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "axis":
            value = integer(node.value)
            if value is not None:
                for other in {0, 1, value + 1, value + 2} - {value}:
                    yield Change("axis", node.value, str(other))


def swaps(source, tree):
    """Operands of products, exchanged."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield Change("swap", node, f"({ast.unparse(node.right)}) @ ({ast.unparse(node.left)})")
        if isinstance(node, ast.Call) and called(node) in {"dot", "matmul", "outer", "solve"} and len(node.args) == 2:
            swapped = ast.Call(func=node.func, args=[node.args[1], node.args[0]], keywords=node.keywords)
            yield Change("swap", node, ast.unparse(swapped))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "dot" and len(node.args) == 1:
            yield Change("swap", node, f"({ast.unparse(node.args[0])}).dot({ast.unparse(node.func.value)})")


def transposes(tree):
    """Transpositions dropped, and added to operands of products."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield Change("transpose", node, ast.unparse(node.value))
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.MatMult, ast.Add, ast.Sub, ast.Mult)):
            for side in (node.left, node.right):
                if isinstance(side, (ast.Name, ast.Subscript)) and isinstance(node.op, ast.MatMult):
                    yield Change("transpose", side, f"{ast.unparse(side)}.T")


def keepdims(tree):
    """`keepdims=True` dropped, and added to reductions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [keyword for keyword in node.keywords if keyword.arg == "keepdims"]
            if given:
                rest = ast.Call(func=node.func, args=node.args, keywords=[keyword for keyword in node.keywords if keyword.arg != "keepdims"])
                yield Change("keepdims", node, ast.unparse(rest))
            elif called(node) in REDUCTIONS and any(keyword.arg == "axis" for keyword in node.keywords):
                more = ast.Call(func=node.func, args=node.args, keywords=[*node.keywords, ast.keyword(arg="keepdims", value=ast.Constant(True))])
                yield Change("keepdims", node, ast.unparse(more))


def reshapes(tree):
    """Targets of reshapes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) == "reshape":
            for value in node.args:
                number = integer(value)
                if number is not None and number > 0:
                    yield Change("reshape", value, str(number + 1))
                elif number is None:
                    yield Change("reshape", value, f"({ast.unparse(value)}) + 1")


def slices(tree):
    """Bounds of slices."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Slice):
            for bound in (node.lower, node.upper):
                value = None if bound is None else integer(bound)
                if value is not None:
                    yield Change("slice", bound, str(value + (1 if value >= 0 else -1)))
                elif bound is not None:
                    yield Change("slice", bound, f"{ast.unparse(bound)} + 1")


def indices(tree):
    """Integer indices."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in parts:
                value = integer(part)
                if value is not None:
                    yield Change("index", part, str(value + 7 if value >= 0 else value - 7))
                    yield Change("index", part, ":")


def apply(source, change):
    """The source with one change."""
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    text = source.encode()
    begin = starts[change.start[0] - 1] + change.start[1]
    end = starts[change.end[0] - 1] + change.end[1]
    replacement = change.text.encode()
    return (text[:begin] + replacement + text[end:]).decode()


def mutants(source, seed, most):
    """At most so many different mutants of a program, with their operators, in an order that the seed fixes."""
    tree = ast.parse(source)
    changes = [
        *sizes(tree), *axes(tree), *swaps(source, tree), *transposes(tree), *keepdims(tree), *reshapes(tree), *slices(tree), *indices(tree),
    ]
    random.Random(seed).shuffle(changes)
    seen = {source}
    found = []
    for change in changes:
        text = apply(source, change)
        if text in seen:
            continue
        try:
            ast.parse(text)
        except SyntaxError:
            continue
        seen.add(text)
        found.append((change.operator, text))
        if len(found) == most:
            break
    return found
