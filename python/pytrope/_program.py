"""Where the `pytrope` program of this installation is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

__all__ = ["find_program"]


def find_program() -> str | None:
    """The program: `PYTROPE_BIN`, else the one installed with this package, else the one on PATH."""
    named = os.environ.get("PYTROPE_BIN")
    if named:
        return named
    name = "pytrope.exe" if sys.platform == "win32" else "pytrope"
    for folder in _script_folders():
        if (folder / name).is_file():
            return str(folder / name)
    return shutil.which("pytrope")


def _script_folders() -> Iterator[Path]:
    """The folders into which pip may have put the program, the most specific first."""
    # `pip install --target DIR` puts programs into DIR/bin beside the package.
    yield Path(__file__).resolve().parent.parent / "bin"
    yield Path(sysconfig.get_path("scripts"))
    # `pip install --user`: the scheme of the user, where this platform has one.
    user = {"nt": "nt_user", "posix": "posix_user"}.get(os.name)
    if user in sysconfig.get_scheme_names():
        yield Path(sysconfig.get_path("scripts", scheme=user))
    yield Path(sys.executable).parent
