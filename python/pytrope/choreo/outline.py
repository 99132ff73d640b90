"""What the runner must know of a choreography: its classes, their roles, their parameters.

Roles, types and communications are `pytrope project`'s business; here only signatures are read.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ChoreoError

__all__ = ["Choreography", "Parameter", "find_choreography", "read_outline", "without_type_parameters"]

_CHANNELS = ("Channel", "DiChannel")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method: a channel between two roles, or a value at some."""

    name: str
    roles: tuple[str, ...]
    is_channel: bool
    has_default: bool

    def renamed(self, names: dict[str, str]) -> Parameter:
        """The same parameter where its formal roles are played by others."""
        roles = tuple(names.get(role, role) for role in self.roles)
        return Parameter(self.name, roles, self.is_channel, self.has_default)


@dataclass
class Choreography:
    """A class with a ``Ch…`` base, as far as its signatures say."""

    name: str
    roles: tuple[str, ...]
    bases: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    methods: dict[str, list[Parameter]] = field(default_factory=dict)


Outline = dict[str, Choreography]


def read_outline(path: Path, seen: frozenset[Path] = frozenset()) -> Outline:
    """All choreographies of a file and of the neighbouring files that it imports from."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(without_type_parameters(text)[0], str(path))
    except (OSError, SyntaxError, ValueError, tokenize.TokenError) as error:
        raise ChoreoError(f"{path}: {error}") from None
    outline: Outline = {}
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            sibling = path.parent.joinpath(*statement.module.split(".")).with_suffix(".py")
            if sibling.is_file() and sibling not in seen:
                outline |= read_outline(sibling, seen | {path})
        elif isinstance(statement, ast.ClassDef):
            found = _choreography(statement)
            if found is not None:
                outline[found.name] = found
    return outline


def find_choreography(outline: Outline, name: str) -> Choreography:
    """One choreography with its inherited methods; says what there is when it is not there."""
    found = outline.get(name)
    if found is None:
        known = ", ".join(outline) or "none"
        raise ChoreoError(f"there is no choreography {name}; the file has: {known}")
    complete = Choreography(found.name, found.roles, [], {})
    for base, actual in reversed(found.bases):
        if base in outline and base != name:
            parent = find_choreography(outline, base)
            names = dict(zip(parent.roles, actual, strict=False))
            for method, parameters in parent.methods.items():
                complete.methods[method] = [parameter.renamed(names) for parameter in parameters]
    complete.methods |= found.methods
    return complete


def _choreography(statement: ast.ClassDef) -> Choreography | None:
    roles: tuple[str, ...] | None = None
    bases: list[tuple[str, tuple[str, ...]]] = []
    for base in statement.bases:
        name, parameters = _subscripted(base)
        if re.fullmatch(r"Ch\d{0,2}", name):
            roles = tuple(parameters)
        elif name:
            bases.append((name, tuple(parameters)))
    if roles is None:
        return None
    found = Choreography(statement.name, roles, bases)
    for member in statement.body:
        if isinstance(member, ast.FunctionDef):
            found.methods[member.name] = _parameters(member.args)
    return found


def _parameters(arguments: ast.arguments) -> list[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    undefaulted = len(positional) - len(arguments.defaults)
    with_default = [
        *((argument, index >= undefaulted) for index, argument in enumerate(positional)),
        *((a, d is not None) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)),
    ]
    return [
        _parameter(argument.arg, argument.annotation, has_default)
        for argument, has_default in with_default
        if argument.arg != "self"
    ]


def _parameter(name: str, annotation: ast.expr | None, has_default: bool) -> Parameter:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            annotation = None
    head, parameters = _subscripted(annotation)
    if head in _CHANNELS and len(parameters) == 3:
        return Parameter(name, tuple(parameters[1:]), True, has_default)
    if head == "At" and len(parameters) == 2:
        return Parameter(name, tuple(re.split(r"\s*\|\s*", parameters[1])), False, has_default)
    return Parameter(name, (), False, has_default)


def _subscripted(expression: ast.expr | None) -> tuple[str, list[str]]:
    """``pc.Ch2[A, B]`` as ``("Ch2", ["A", "B"])``."""
    parameters: list[str] = []
    if isinstance(expression, ast.Subscript):
        inner = expression.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        parameters = [ast.unparse(part) for part in parts]
        expression = expression.value
    if isinstance(expression, ast.Attribute):
        return expression.attr, parameters
    return (expression.id if isinstance(expression, ast.Name) else ""), parameters


def without_type_parameters(text: str) -> tuple[str, set[str]]:
    """The text with the type parameters of PEP 695, which Python 3.11 cannot parse, blanked out.

    Also gives their names.  Nothing else moves, so positions in messages stay true.
    """
    lines = text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    names: set[str] = set()
    for index in range(len(tokens) - 2):
        keyword, name, bracket = tokens[index : index + 3]
        if keyword.string in ("class", "def") and name.type == tokenize.NAME and bracket.string == "[":
            names |= _blank(lines, tokens, index + 2)
    return "".join(lines), names


def _blank(lines: list[str], tokens: list[tokenize.TokenInfo], opening: int) -> set[str]:
    depth = 0
    names: set[str] = set()
    for before, token in zip(tokens[opening - 1 :], tokens[opening:], strict=False):
        depth += (token.string == "[") - (token.string == "]")
        if token.type == tokenize.NAME and depth == 1 and before.string in "[,*":
            names.add(token.string)
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            row, start, stop = token.start[0] - 1, token.start[1], token.end[1]
            lines[row] = lines[row][:start] + " " * (stop - start) + lines[row][stop:]
        if depth == 0:
            break
    return names
