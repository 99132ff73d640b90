"""A plugin for mypy: ``Quiet[A, B]`` names a choreography also as a type and as a base.

    [tool.mypy]
    plugins = ["pytrope.choreo.mypy_roles"]

Only the notation with role classes needs it; where roles are type parameters the language suffices.
Whether the roles fit is checked by ``pytrope project``; here they are left out.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import TypeInfo
from mypy.plugin import AnalyzeTypeContext, Plugin
from mypy.types import Instance, Type

__all__ = ["plugin"]

_BASES = frozenset(f"pytrope.choreo.surface.Ch{arity}" for arity in range(1, 11))


class RoleArguments(Plugin):
    """Takes role arguments off choreographies that have no type parameters."""

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        found = self.lookup_fully_qualified(fullname)
        declared = found.node if found is not None else None
        if not isinstance(declared, TypeInfo) or declared.type_vars or declared.fullname in _BASES:
            return None
        if not any(base.fullname in _BASES for base in declared.mro):
            return None
        return lambda context: Instance(declared, [], context.type.line, context.type.column)


def plugin(version: str) -> type[Plugin]:
    """What mypy calls."""
    return RoleArguments
