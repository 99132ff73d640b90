"""What the tests need from outside: the package under test, the binary, other people's tools."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "choreo"

sys.path.insert(0, str(ROOT / "python"))


def missing(what: str) -> None:
    """A peer that is not there fails the test where peers are required, and is loud elsewhere."""
    if os.environ.get("PYTROPE_REQUIRE_PEERS") == "1":
        raise AssertionError(f"a required peer is missing: {what}")
    print(f"\nMISSING PEER: {what}; its tests did not run", file=sys.stderr)
    raise unittest.SkipTest(f"missing peer: {what}")


def binary() -> str:
    """The `pytrope` program: `PYTROPE_BIN`, else the newest build, else PATH."""
    named = os.environ.get("PYTROPE_BIN")
    if named:
        return named
    built = [path for path in (ROOT / "target" / kind / "pytrope" for kind in ("release", "debug")) if path.exists()]
    if built:
        return str(max(built, key=lambda path: path.stat().st_mtime))
    found = shutil.which("pytrope")
    if found is None:
        missing("the pytrope binary (set PYTROPE_BIN)")
    return str(found)


def installed(package: str) -> bool:
    """Whether a third-party package can be imported here."""
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


def tool(name: str) -> str:
    """A program beside this Python or on PATH."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        missing(name)
    return str(found)
