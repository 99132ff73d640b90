"""Turns a program of one file into a project: a package of modules, and a `main.py` that runs it.

Constants that are assigned once go to `config.py`, functions and classes to modules of their own, runs of statements become functions
that are given what they read and return what is read later. `main.py` imports and calls. That the project does
the same is shown by running it (`projects.py`).
"""

import ast
import builtins
import symtable

CHUNKS = 3
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def loads(nodes):
    """All names that some statements read."""
    found = set()
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                found.add(inner.id)
            if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
                found.add(inner.target.id)
    return found


def stores(nodes):
    """All names that some statements bind in their own scope."""
    found = set()

    def visit(node):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
            return
        if isinstance(node, (*COMPREHENSIONS, ast.Lambda)):
            return
        if isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        for child in ast.iter_child_nodes(node):
            visit(child)

    for node in nodes:
        visit(node)
    return found


def globals_of(text):
    """The names of the module that a function or class reads, directly or in what it defines."""
    found, open_tables = set(), [symtable.symtable(text, "definition", "exec")]
    while open_tables:
        table = open_tables.pop()
        found |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced() and symbol.is_global()}
        open_tables += table.get_children()
    return found


def is_literal(node):
    """Whether an expression is a constant that nothing can change."""
    if isinstance(node, ast.Tuple):
        return all(is_literal(item) for item in node.elts)
    if isinstance(node, ast.UnaryOp):
        return is_literal(node.operand)
    return isinstance(node, ast.Constant)


def constants_of(body):
    """The statements that only bind constants, each name once in the program."""
    times = {}
    for statement in body:
        for name in stores([statement]):
            times[name] = times.get(name, 0) + 1
    return [
        statement for statement in body
        if isinstance(statement, ast.Assign) and is_literal(statement.value)
        and all(isinstance(name, (ast.Name, ast.Tuple)) for name in statement.targets)
        and all(times[name] == 1 for name in stores([statement]))
    ]


def text_of(source, node):
    """A statement as it is written, decorators included."""
    first = min([node.lineno, *[decorator.lineno for decorator in getattr(node, "decorator_list", [])]])
    return "\n".join(source.splitlines()[first - 1 : node.end_lineno])


def indented(text):
    """A statement inside a function; lines of texts that span lines stay what they are."""
    return "\n".join("    " + line if line else line for line in text.splitlines())


class Splitter:
    """One program on its way to a project."""

    def __init__(self, source):
        self.source = source
        body = ast.parse(source).body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        self.imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
        self.constants = constants_of(body)
        rest = [node for node in body if node not in self.imports and node not in self.constants]
        self.shared = stores(self.imports) | stores(self.constants)
        definitions = [node for node in rest if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        variables = stores([node for node in rest if node not in definitions])
        # What reads variables of the program stays beside them, with all that uses it.
        read = {node.name: globals_of(text_of(source, node)) for node in definitions}
        fixed = {node.name for node in definitions if read[node.name] & variables}
        while True:
            more = {node.name for node in definitions if node.name not in fixed and read[node.name] & fixed}
            if not more:
                break
            fixed |= more
        self.definitions = [node for node in definitions if node.name not in fixed]
        self.fixed = fixed
        self.rest = [node for node in rest if node not in self.definitions]
        self.modules = {}

    def header(self):
        """The imports of a module of the package."""
        lines = [text_of(self.source, node) for node in self.imports]
        if self.constants:
            lines.append(f"from .config import {', '.join(sorted(stores(self.constants)))}")
        return lines

    def split(self):
        """The files of the project, by path; None if nothing could be moved."""
        if self.constants:
            self.modules["pkg/config.py"] = "\n".join(text_of(self.source, node) for node in self.constants) + "\n"
        main = [text_of(self.source, node) for node in self.imports]
        if self.constants:
            main.append("from pkg.config import *")
        self.write_definitions()
        self.write_stages(main)
        if not self.definitions and not any(name.startswith("pkg/stage") for name in self.modules):
            return None
        self.modules["pkg/__init__.py"] = ""
        if self.definitions:
            names = sorted(node.name for node in self.definitions)
            self.modules["pkg/__init__.py"] = f"from .parts_0 import *\nfrom .parts_1 import *\n\n__all__ = {names!r}\n"
            main.insert(len(self.imports), f"from pkg import {', '.join(names)}")
        self.modules["main.py"] = "\n".join(main) + "\n"
        return self.modules

    def write_definitions(self):
        """Functions and classes, in two modules that import each other where they must."""
        if not self.definitions:
            return
        half = (len(self.definitions) + 1) // 2
        groups = [self.definitions[:half], self.definitions[half:]]
        for number, group in enumerate(groups):
            other = groups[1 - number]
            lines = self.header()
            needed = sorted(set().union(*[globals_of(text_of(self.source, node)) for node in group]) & stores(other))
            lines += ["", *[text_of(self.source, node) + "\n\n" for node in group]]
            # The first module imports at its end, when the second finds it finished but for that.
            if needed:
                where = len(self.header()) if number == 1 else len(lines)
                lines.insert(where, f"from .parts_{1 - number} import {', '.join(needed)}")
            self.modules[f"pkg/parts_{number}.py"] = "\n".join(lines) + "\n"

    def write_stages(self, main):
        """Runs of statements, as functions."""
        movable = [node for node in self.rest if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        size = max(1, -(-len(movable) // CHUNKS))
        chunk, number = [], 0
        bound = set()

        def flush(later):
            nonlocal chunk, number, bound
            if not chunk:
                return
            if loads(chunk) & self.fixed:
                main.extend(text_of(self.source, node) for node in chunk)
            else:
                own = stores(self.definitions)
                given = sorted(loads(chunk) & bound)
                returned = sorted(stores(chunk) & loads(later))
                lines = self.header()
                used = sorted(loads(chunk) & own)
                if used:
                    lines.append(f"from . import {', '.join(used)}")
                lines += ["", "", f"def run({', '.join(given)}):", *[indented(text_of(self.source, node)) for node in chunk]]
                if returned:
                    lines.append(f"    return {', '.join(returned)}{',' if len(returned) == 1 else ''}")
                self.modules[f"pkg/stage_{number}.py"] = "\n".join(lines) + "\n"
                main.append(f"from pkg import stage_{number}")
                call = f"stage_{number}.run({', '.join(given)})"
                left = f"{', '.join(returned)}{',' if len(returned) == 1 else ''} = " if returned else ""
                main.append(left + call)
                number += 1
            bound |= stores(chunk)
            chunk = []

        for at, node in enumerate(self.rest):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                flush(self.rest[at:])
                main.append(text_of(self.source, node))
                continue
            chunk.append(node)
            if len(chunk) >= size:
                flush(self.rest[at + 1 :])
        flush([])


def split(source):
    """The files of a project that does what a program does; None if it cannot be split."""
    if any(isinstance(node, ast.Global) for node in ast.walk(ast.parse(source))):
        return None
    if stores(ast.parse(source).body) & set(dir(builtins)):
        return None
    return Splitter(source).split()
