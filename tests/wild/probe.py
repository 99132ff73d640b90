"""The statements that lead to a line, as a function of their own: earlier statements may fail, conditions are not asked.

What it raises at that line confirms a finding. That nothing is raised says nothing, because the conditions on the way were not asked.
"""

import ast

COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Match)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def holds(node, line):
    first = min([node.lineno] + [item.lineno for item in getattr(node, "decorator_list", [])])
    return first <= line <= node.end_lineno


class Plain(ast.NodeTransformer):
    """Without what only works in the original function."""

    def visit_Await(self, node):
        return self.generic_visit(node).value

    def visit_Yield(self, node):
        self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name("__anything__", ast.Load()), [node.value] if node.value else [], []), node)

    visit_YieldFrom = visit_Yield

    loops = 0

    def visit_Break(self, node):
        """The loop around it is gone: leaving it would leave the way to the line."""
        return node if self.loops else ast.copy_location(ast.Pass(), node)

    visit_Continue = visit_Break

    def visit_Return(self, node):
        self.generic_visit(node)
        return ast.copy_location(ast.Expr(node.value) if node.value else ast.Pass(), node)

    def visit_loop(self, node):
        """A loop that is whole keeps its own jumps."""
        self.loops += 1
        self.generic_visit(node)
        self.loops -= 1
        return node

    visit_For = visit_While = visit_AsyncFor = visit_loop

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_FunctionDef


def noted():
    return ast.Expr(ast.Call(ast.Name("__failed__", ast.Load()), [], []))


def guarded(statement):
    body = ast.Try([statement], [ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [noted()])], [], [])
    return ast.copy_location(body, statement)


def lists(node):
    """The lists of statements in a compound statement."""
    found = [getattr(node, name) for name in ("body", "orelse", "finalbody") if isinstance(getattr(node, name, None), list)]
    found += [handler.body for handler in getattr(node, "handlers", [])]
    found += [case.body for case in getattr(node, "cases", [])]
    return found


def headers(node):
    """The expressions that a compound statement evaluates by itself, with what they bind."""
    if isinstance(node, (ast.If, ast.While)):
        return [ast.Expr(node.test)]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        first = ast.Call(ast.Name("__first__", ast.Load()), [node.iter], [])
        return [ast.Assign([node.target], first)]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        made = []
        for item in node.items:
            entered = ast.Call(ast.Name("__entered__", ast.Load()), [item.context_expr], [])
            made.append(ast.Assign([item.optional_vars], entered) if item.optional_vars else ast.Expr(item.context_expr))
        return made
    if isinstance(node, ast.Match):
        return [ast.Expr(node.subject)]
    if isinstance(node, SCOPES):
        made = [ast.Expr(item) for item in node.decorator_list]
        if not isinstance(node, ast.ClassDef):
            made += [ast.Expr(item) for item in [*node.args.defaults, *node.args.kw_defaults] if item]
        else:
            made += [ast.Expr(item) for item in node.bases] + [ast.Expr(item.value) for item in node.keywords]
        return made
    return []


def path_to(body, line, inside):
    """The statements that lead to a line, flattened; the last ones hold the line."""
    made = []
    for statement in body:
        if not holds(statement, line):
            if statement.lineno < line and inside:
                made.append(guarded(Plain().visit(statement)))
            continue
        if not isinstance(statement, COMPOUND):
            return [*made, Plain().visit(statement)]
        for inner in lists(statement):
            if any(holds(item, line) for item in inner):
                if not isinstance(statement, SCOPES):
                    made += [guarded(ast.copy_location(Plain().visit(header), statement)) for header in headers(statement)]
                return made + path_to(inner, line, inside or isinstance(statement, SCOPES))
        return made + [ast.copy_location(Plain().visit(header), statement) for header in headers(statement)]
    return made


def around(tree, line):
    """The scopes around a line, outermost first."""
    found, body = [], tree.body
    while True:
        inner = next((node for node in body if holds(node, line)), None)
        if inner is None:
            return found
        if isinstance(inner, SCOPES) and any(holds(item, line) for item in inner.body):
            found.append(inner)
        body = next((part for part in lists(inner) if any(holds(item, line) for item in part)), None)
        if body is None:
            return found


def build(text, path, line, message, stand_in):
    """A function without arguments that runs what leads to a line, to be called in its module's namespace."""
    tree = ast.parse(text)
    scopes = around(tree, line)
    statements = path_to(tree.body, line, inside=False)
    names = {}
    if scopes:
        for scope in scopes:
            for node in ast.walk(scope):
                if isinstance(node, ast.arg) and f"'{node.arg}'" not in message:
                    names[node.arg] = node.annotation
            if not isinstance(scope, ast.ClassDef):
                stored = (node for node in ast.walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
                for node in stored:
                    if f"'{node.id}'" not in message:
                        names.setdefault(node.id, None)
        declared = {name for scope in scopes for node in ast.walk(scope) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
        names = {name: hint for name, hint in names.items() if name not in declared}
    given = sorted(names)
    statements = statements or [ast.Pass()]
    if scopes:
        parameters = ast.arguments([], [ast.arg(name) for name in given], None, [], [], None, [])
        probe = ast.FunctionDef("__probe__", parameters, statements, [])
        probe.type_params = []
        statements = [probe]
    program = ast.fix_missing_locations(ast.Module(statements, []))
    return Probe(compile(program, path, "exec", dont_inherit=True), scopes, given, stand_in)


class Probe:
    """The compiled statements; `failed` tells whether one before the last failed in the last call."""

    def __init__(self, code, scopes, given, stand_in):
        self.code, self.scopes, self.given, self.stand_in = code, scopes, given, stand_in
        self.failed = False

    def __call__(self, namespace, make):
        self.failed = False
        space = dict(namespace)
        space["__anything__"] = lambda *values: make("yielded")
        space["__first__"] = lambda values: next(iter(values))
        space["__entered__"] = lambda manager: manager.__enter__()
        space["__failed__"] = lambda: setattr(self, "failed", True)
        exec(self.code, space)  # noqa: S102 - the judged code's own statements
        if self.scopes:
            arguments = [self.stand_in(self.scopes, name) if name in ("self", "cls") else make(name) for name in self.given]
            space["__probe__"](*arguments)
