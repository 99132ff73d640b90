"""Makes a failing program smaller, one statement at a time, for as long as it fails in the same way."""

import ast


def shrink(text, fails):
    """The smallest program found; `fails` tells whether a text still shows the fault."""
    text = ast.unparse(ast.parse(text)) + "\n"
    if not fails(text):
        return None
    progress = True
    while progress:
        progress = False
        at = 0
        while True:
            smaller = list(without(text, at))
            if not smaller:
                break
            for candidate in smaller:
                if candidate != text and fails(candidate):
                    text, progress = candidate, True
                    break
            else:
                at += 1
    return text


def without(text, at):
    """The program without its statement of that number, last ones first, or with the statements inside it in its place."""
    count = sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(text)))
    if at >= count:
        return
    for replacement in ("nothing", "body", "orelse", "handlers", "finalbody", "cases"):
        tree = ast.parse(text)
        holders = [(body, i) for node in ast.walk(tree) for body in bodies(node) for i in range(len(body))]
        body, i = list(reversed(holders))[at]
        stmt = body[i]
        if replacement == "nothing":
            body[i : i + 1] = [] if len(body) > 1 else [ast.Pass()]
        elif isinstance(stmt, (ast.FunctionDef, ast.ClassDef)) or not getattr(stmt, replacement, None):
            continue
        else:
            inner = getattr(stmt, replacement)
            body[i : i + 1] = inner[0].body if replacement in ("handlers", "cases") else inner
        yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def bodies(node):
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
            yield body
