"""Small changes to programs of tensor frameworks, made from their syntax trees: each mutant differs in one place.

Operators: size (an integer that is an argument), axis, drop (a layer, an input, a statement that adds a layer), option (a
keyword left out or its string exchanged), swap (operands of a product), index (a bound or an index).
"""

import ast
import random

from mutate import Change, apply, integer, is_int

# Arguments that are no sizes: how long and how noisily a program runs.
RUNNING = {"epochs", "verbose", "batch_size", "seed", "buffer_size", "name", "activation"}
# Calls whose integers are no sizes.
NOT_SIZES = {"fit", "default_rng", "PRNGKey", "key", "manual_seed", "shuffle", "prefetch", "seed", "evaluate", "print", "Dropout", "Adam", "SGD", "round", "split_key"}
EXCHANGED = {
    "same": "valid", "valid": "same", "sparse_categorical_crossentropy": "categorical_crossentropy",
    "categorical_crossentropy": "sparse_categorical_crossentropy", "binary_crossentropy": "categorical_crossentropy",
    "mse": "categorical_crossentropy", "mean_squared_error": "sparse_categorical_crossentropy",
}
LEFT_OUT = {"padding", "axis", "keepdims", "strides", "return_sequences", "return_state", "input_shape", "axes", "dtype", "keepdim", "in_axes", "out_axes",
            "dim", "stride", "batch_first", "bidirectional", "in_dims"}


def called(node):
    """The last name of what a call calls."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def sizes(tree):
    """Integers that are arguments, alone or in tuples and lists, and those that names at the top stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) not in NOT_SIZES:
            values = [*node.args, *[keyword.value for keyword in node.keywords if keyword.arg not in RUNNING]]
            for value in values:
                for inner in value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]:
                    if is_int(inner) and inner.value > 0:
                        yield Change("size", inner, str(inner.value + 1))
                        yield Change("size", inner, str(inner.value * 2))
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
            for value in values:
                if is_int(value) and value.value > 1:
                    yield Change("size", value, str(value.value + 1))


def axes(tree):
    """Axis arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in {"axis", "axes", "in_axes", "dim"}:
            value = integer(node.value)
            if value is not None:
                for other in sorted({0, 1, value + 1, value + 2} - {value}):
                    yield Change("axis", node.value, str(other))


def drops(tree):
    """Items of lists that are arguments, and statements that are one call of `add`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for value in [*node.args, *[keyword.value for keyword in node.keywords]]:
                if isinstance(value, ast.List) and len(value.elts) > 1 and not any(is_int(item) for item in value.elts):
                    for place in range(len(value.elts)):
                        rest = ast.List(elts=value.elts[:place] + value.elts[place + 1 :], ctx=ast.Load())
                        yield Change("drop", value, ast.unparse(rest))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called(node.value) == "add":
            yield Change("drop", node, "pass")
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.targets) == 1:
            target, arguments = node.targets[0], node.value.args
            if isinstance(target, ast.Name) and len(arguments) == 1 and isinstance(arguments[0], ast.Name) and arguments[0].id == target.id:
                yield Change("drop", node, "pass")


def options(tree):
    """Keywords left out, strings exchanged."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in LEFT_OUT:
                    rest = ast.Call(func=node.func, args=node.args, keywords=[other for other in node.keywords if other is not keyword])
                    yield Change("option", node, ast.unparse(rest))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in EXCHANGED:
            yield Change("option", node, repr(EXCHANGED[node.value]))


def swaps(tree):
    """Operands of products, exchanged."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield Change("swap", node, f"({ast.unparse(node.right)}) @ ({ast.unparse(node.left)})")
        if isinstance(node, ast.Call) and called(node) in {"matmul", "dot", "tensordot"} and len(node.args) >= 2:
            swapped = ast.Call(func=node.func, args=[node.args[1], node.args[0], *node.args[2:]], keywords=node.keywords)
            yield Change("swap", node, ast.unparse(swapped))
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield Change("swap", node, ast.unparse(node.value))


def indices(tree):
    """Bounds of slices, and integer indices."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Slice):
            for bound in (node.lower, node.upper):
                value = None if bound is None else integer(bound)
                if value is not None:
                    yield Change("index", bound, str(value + (1 if value >= 0 else -1)))
        if isinstance(node, ast.Subscript):
            for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                value = integer(part)
                if value is not None:
                    yield Change("index", part, str(value + 7 if value >= 0 else value - 7))


def mutants(source, seed, most):
    """At most so many different mutants of a program, with their operators, in an order that the seed fixes."""
    tree = ast.parse(source)
    changes = [*sizes(tree), *axes(tree), *drops(tree), *options(tree), *swaps(tree), *indices(tree)]
    random.Random(seed).shuffle(changes)
    seen, found = {source}, []
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
