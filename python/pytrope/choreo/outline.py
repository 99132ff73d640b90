"""What the runner must know of a choreography: its classes, their roles, their parameters.

Roles, types and communications are `pytrope project`'s business; here only signatures are read.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ChoreoError

__all__ = ["Choreography", "Parameter", "find_choreography", "read_outline", "without_type_parameters"]

_CHANNELS = {"Channel": "channel", "DiChannel": "channel", "Star": "star", "Mesh": "mesh"}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method: a channel between two roles, one to each member of a family, or a value at some."""

    name: str
    roles: tuple[str, ...]
    joins: str
    """``channel``, ``star`` or ``mesh``; nothing for a value."""
    has_default: bool

    @property
    def is_channel(self) -> bool:
        """Whether it connects roles, one or more pairs of them."""
        return bool(self.joins)

    def renamed(self, names: dict[str, str]) -> Parameter:
        """The same parameter where its formal roles are played by others."""
        roles = tuple(names.get(role, role) for role in self.roles)
        return Parameter(self.name, roles, self.joins, self.has_default)


@dataclass
class Choreography:
    """A class with a ``Ch…`` base, as far as its signatures say; or a function over roles, its method ``__call__``."""

    name: str
    roles: tuple[str, ...]
    bases: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    methods: dict[str, list[Parameter]] = field(default_factory=dict)
    is_function: bool = False

    @property
    def targets(self) -> list[str]:
        """What of it can be run, by name."""
        if self.is_function:
            return [self.name]
        return [f"{self.name}.{method}" for method in self.methods if not method.startswith("_")]


Outline = dict[str, Choreography]


def read_outline(path: Path, seen: frozenset[Path] = frozenset()) -> Outline:
    """All choreographies of a file and of the neighbouring files that it imports from."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(without_type_parameters(text)[0], str(path))
    except (OSError, SyntaxError, ValueError, tokenize.TokenError) as error:
        raise ChoreoError(f"{path}: {error}") from None
    outline: Outline = {}
    aliases = _Aliases()
    for statement in tree.body:
        for module in _imported(statement):
            sibling = path.parent.joinpath(*module.split(".")).with_suffix(".py")
            if sibling.is_file() and sibling not in seen:
                outline |= read_outline(sibling, seen | {path})
        if isinstance(statement, ast.ClassDef):
            found = _choreography(statement, aliases, outline)
            if found is not None:
                outline[found.name] = found
        elif isinstance(statement, ast.FunctionDef):
            parameters = _parameters(statement.args, aliases)
            roles = tuple(dict.fromkeys(role for parameter in parameters for role in parameter.roles))
            if roles:
                outline[statement.name] = Choreography(
                    statement.name, roles, methods={"__call__": parameters}, is_function=True
                )
        else:
            aliases.note(statement)
    return outline


def _imported(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.ImportFrom):
        return [statement.module] if statement.module else []
    return [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else []


class _Aliases:
    """Types by name: ``Price = At[int, Seller]`` and ``type Secret[R: Role] = At[str, R]``."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[list[str], ast.expr]] = {}

    def note(self, statement: ast.stmt) -> None:
        """Remember a statement that may be an alias."""
        name: ast.expr
        value: ast.expr | None
        match statement:
            case ast.Assign(targets=[name], value=value) | ast.AnnAssign(target=name, value=value):
                pass
            case _:
                return
        if isinstance(name, ast.Name) and isinstance(value, ast.Lambda):
            self._known[name.id] = [parameter.arg for parameter in value.args.args], value.body
        elif isinstance(name, ast.Name) and isinstance(value, (ast.Subscript, ast.Name)):
            self._known[name.id] = [], value

    def expand(self, annotation: ast.expr, depth: int = 0) -> ast.expr:
        """An annotation without aliases at its head."""
        head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if not isinstance(head, ast.Name) or head.id not in self._known or depth > 16:
            return annotation
        parameters, value = self._known[head.id]
        given = _parts(annotation) if isinstance(annotation, ast.Subscript) else []
        played = dict(zip(parameters, given, strict=False))
        return self.expand(_Played(played).visit(deepcopy(value)), depth + 1)


class _Played(ast.NodeTransformer):
    """Puts arguments in the place of parameters."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def find_choreography(outline: Outline, name: str) -> Choreography:
    """One choreography with its inherited methods; says what there is when it is not there."""
    found = outline.get(name)
    if found is None:
        known = ", ".join(outline) or "none"
        raise ChoreoError(f"there is no choreography {name}; the file has: {known}")
    complete = Choreography(found.name, found.roles, [], {}, found.is_function)
    for base, actual in reversed(found.bases):
        if base in outline and base != name:
            parent = find_choreography(outline, base)
            names = dict(zip(parent.roles, actual, strict=False))
            for method, parameters in parent.methods.items():
                complete.methods[method] = [parameter.renamed(names) for parameter in parameters]
    complete.methods |= found.methods
    return complete


def _choreography(statement: ast.ClassDef, aliases: _Aliases, known: Outline) -> Choreography | None:
    roles: tuple[str, ...] | None = None
    bases: list[tuple[str, tuple[str, ...]]] = []
    for base in statement.bases:
        name, parameters = _subscripted(base)
        if re.fullmatch(r"Ch\d{0,2}", name):
            roles = tuple(parameter.lstrip("*") for parameter in parameters)
        elif name:
            # A base without parameters has its own roles.
            own = known[name].roles if name in known and not parameters else tuple(parameters)
            bases.append((name, own))
    if roles is None:
        # Only a choreographic base: its roles are the roles of this class.
        roles = next((given for base, given in bases if base in known), None)
    if roles is None:
        return None
    found = Choreography(statement.name, roles, bases)
    for member in statement.body:
        if isinstance(member, ast.FunctionDef):
            found.methods[member.name] = _parameters(member.args, aliases)
    return found


def _parameters(arguments: ast.arguments, aliases: _Aliases) -> list[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    undefaulted = len(positional) - len(arguments.defaults)
    with_default = [
        *((argument, index >= undefaulted) for index, argument in enumerate(positional)),
        *((a, d is not None) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)),
    ]
    return [
        _parameter(argument.arg, argument.annotation, has_default, aliases)
        for argument, has_default in with_default
        if argument.arg != "self"
    ]


def _parameter(name: str, annotation: ast.expr | None, has_default: bool, aliases: _Aliases) -> Parameter:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            annotation = None
    head, parameters = _subscripted(aliases.expand(annotation) if annotation is not None else None)
    joins = _CHANNELS.get(head, "")
    if joins and len(parameters) == (2 if joins == "mesh" else 3):
        return Parameter(name, tuple(role.lstrip("*") for role in parameters[1:]), joins, has_default)
    if head == "At" and len(parameters) == 2:
        roles = (role.lstrip("*") for role in re.split(r"\s*\|\s*", parameters[1]))
        return Parameter(name, tuple(roles), "", has_default)
    return Parameter(name, (), "", has_default)


def _subscripted(expression: ast.expr | None) -> tuple[str, list[str]]:
    """``pc.Ch2[A, B]`` as ``("Ch2", ["A", "B"])``."""
    parameters: list[str] = []
    if isinstance(expression, ast.Subscript):
        # A role of an imported file is known by its own name.
        parameters = [re.sub(r"\b\w+\.(?=\w)", "", _unquoted(part)) for part in _parts(expression)]
        expression = expression.value
    if isinstance(expression, ast.Attribute):
        return expression.attr, parameters
    return (expression.id if isinstance(expression, ast.Name) else ""), parameters


def _unquoted(expression: ast.expr) -> str:
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return expression.value
    return ast.unparse(expression)


def _parts(expression: ast.Subscript) -> list[ast.expr]:
    inner = expression.slice
    return inner.elts if isinstance(inner, ast.Tuple) else [inner]


def without_type_parameters(text: str) -> tuple[str, set[str]]:
    """The text with the type parameters of PEP 695, which Python 3.11 cannot parse, blanked out.

    Also gives their names.  Nothing else moves, so positions in messages stay true, but that
    ``type Secret[R] = At[str, R]`` becomes ``Secret = lambda R: At[str, R]``, as lazy as it was.
    """
    lines = text.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    names: set[str] = set()
    for index in range(len(tokens) - 2):
        keyword, name, bracket = tokens[index : index + 3]
        if keyword.string in ("class", "def") and name.type == tokenize.NAME and bracket.string == "[":
            names.update(_blank(lines, tokens, index + 2))
        elif _is_type_statement(tokens, index):
            parameters = _blank(lines, tokens, index + 2) if bracket.string == "[" else []
            row, start = keyword.start[0] - 1, keyword.start[1]
            equals = next(at for at in range(index + 2, len(tokens)) if tokens[at].string == "=")
            if tokens[equals].start[0] - 1 == row:
                column = tokens[equals].end[1]
                before = name.string.ljust(tokens[equals].start[1] - start) + "="
                made = f" lambda {', '.join(parameters)}:" if parameters else " lambda:"
                lines[row] = lines[row][:start] + before + made + lines[row][column:]
                names.update(parameters)
    return "".join(lines), names


def _is_type_statement(tokens: list[tokenize.TokenInfo], index: int) -> bool:
    keyword, name, after = tokens[index : index + 3]
    begins = index == 0 or tokens[index - 1].type in (
        tokenize.NEWLINE,
        tokenize.NL,
        tokenize.COMMENT,
        tokenize.INDENT,
        tokenize.DEDENT,
    )
    return begins and keyword.string == "type" and name.type == tokenize.NAME and after.string in ("[", "=")


def _blank(lines: list[str], tokens: list[tokenize.TokenInfo], opening: int) -> list[str]:
    depth = 0
    names: list[str] = []
    for before, token in zip(tokens[opening - 1 :], tokens[opening:], strict=False):
        depth += (token.string == "[") - (token.string == "]")
        if token.type == tokenize.NAME and depth == 1 and before.string in "[,*":
            names.append(token.string)
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            row, start, stop = token.start[0] - 1, token.start[1], token.end[1]
            lines[row] = lines[row][:start] + " " * (stop - start) + lines[row][stop:]
        if depth == 0:
            break
    return names
