"""Whether what `reveal_type` says of a value covers the value that CPython computed."""

import ast

TOPS = {"int", "float", "str", "bool", "bytes", "list", "tuple", "dict", "set", "frozenset", "range", "complex", "slice", "object"}


def written(value):
    """How Python writes a value; some of the programs' objects have lost what they are written with."""
    try:
        return repr(value).removeprefix("np.")
    except Exception:  # noqa: BLE001 - it is the program's
        return object.__repr__(value)


def covers(shown, value):
    """`shown` is our text; `value` the real one. Less precise is fine, other is not."""
    if shown == written(value):
        return True
    # A size of which nothing is known.
    shown = shown.replace("?", "unknown")
    try:
        tree = ast.parse(shown, mode="eval").body
    except SyntaxError:
        return opaque(shown, value)
    return node_covers(tree, value)


def opaque(shown, value):
    """Texts that are no expressions, such as `<function f>`: only the type can be compared."""
    return type(value).__name__ in shown


def exact(shown, value):
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return shown == f"{type(value).__name__}[{', '.join(map(str, value.shape)) or '()'}]"
    return shown == written(value)


def shape_covers(node, shape):
    """`ndarray[2, ..., n]`: constants must agree, names stand for any size, `...` for any further ones."""
    dims = node.elts if isinstance(node, ast.Tuple) else [node]
    gaps = [at for at, dim in enumerate(dims) if isinstance(dim, ast.Constant) and dim.value is ...]
    agree = lambda dim, size: not isinstance(dim, ast.Constant) or dim.value == size  # noqa: E731
    if not gaps:
        return len(shape) == len(dims) and all(map(agree, dims, shape))
    first, last = dims[: gaps[0]], dims[gaps[0] + 1 :]
    return len(shape) >= len(first) + len(last) and all(map(agree, first, shape)) and all(map(agree, reversed(last), reversed(shape)))


def node_covers(node, value):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return node_covers(node.left, value) or node_covers(node.right, value)
    if isinstance(node, ast.Name):
        if node.id == "Unknown":
            return True
        if node.id in ("inf", "nan"):
            return written(value) == node.id
        if node.id not in TOPS:
            # A class of the program, or the name of a symbolic integer.
            return node.id == type(value).__name__ or isinstance(value, int)
        return node.id == "object" or node.id == type(value).__name__ or (node.id == "int" and isinstance(value, bool))
    if isinstance(node, (ast.List, ast.Tuple)):
        kind = list if isinstance(node, ast.List) else tuple
        if type(value) is not kind:
            return False
        if any(isinstance(item, ast.Constant) and item.value is ... for item in node.elts):
            known = node.elts[: next(i for i, item in enumerate(node.elts) if isinstance(item, ast.Constant) and item.value is ...)]
            return len(value) >= len(known) and all(map(node_covers, known, value))
        return len(node.elts) == len(value) and all(map(node_covers, node.elts, value))
    if isinstance(node, ast.Dict):
        if type(value) is not dict or len(node.keys) != len(value):
            return False
        return all(node_covers(k, rk) and node_covers(v, rv) for k, v, (rk, rv) in zip(node.keys, node.values, value.items()))
    if isinstance(node, ast.Set):
        if type(value) is not set:
            return False
        return all(any(node_covers(item, real) for item in node.elts) for real in value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        try:
            return repr(eval(ast.unparse(node), {"__builtins__": {}, "set": set, "frozenset": frozenset, "range": range})) == written(value)  # noqa: S307
        except Exception:
            # `len(ys)` is the name of a symbolic integer.
            return node.func.id == type(value).__name__ if node.func.id in TOPS else isinstance(value, int)
    if isinstance(node, ast.Subscript):
        base = ast.unparse(node.value)
        if isinstance(value, int) and base.endswith(".shape"):
            # `x.shape[0]` is the name of a symbolic integer.
            return True
        # An array of open rank may be one without axes, for which NumPy has scalars.
        if base == "ndarray" and ast.unparse(node.slice) == "..." and getattr(value, "shape", None) == ():
            return True
        if base != type(value).__name__:
            return False
        return not hasattr(value, "shape") or shape_covers(node.slice, value.shape)
    text = ast.unparse(node)
    try:
        own = eval(text, {"__builtins__": {}, "inf": float("inf"), "nan": float("nan")})  # noqa: S307
    except Exception:
        # A symbolic integer such as `n + 1`.
        return isinstance(value, int)
    return type(own) is type(value) and repr(own) == written(value)
