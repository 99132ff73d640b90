"""The global meaning of a choreography: its text run as it is, with every role in one place.

This is the yardstick for projections: what the roles compute together must be what this computes.
"""

from __future__ import annotations
import __future__

import sys
from pathlib import Path
from types import ModuleType

from .outline import without_type_parameters
from .surface import Role

__all__ = ["load_direct"]


def load_direct(path: Path, name: str | None = None) -> ModuleType:
    """The module of a choreography file, also where PEP 695 is newer than this Python.

    Its channels are ``Channel()``; annotations are not evaluated.
    """
    text, roles = without_type_parameters(path.read_text(encoding="utf-8"))
    module = ModuleType(name or path.stem)
    module.__file__ = str(path)
    for role in roles:
        # Type parameters have no value outside their class; here they only ever name a place.
        setattr(module, role, type(role, (Role,), {}))
    # Dataclasses look their module up by name.
    sys.modules[module.__name__] = module
    code = compile(text, str(path), "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
    exec(code, vars(module))  # noqa: S102 - the caller asked to run this file
    return module
