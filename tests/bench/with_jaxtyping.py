"""Runs a program as jaxtyping's import hook changes it, with beartype: `with_jaxtyping.py SITE_PACKAGES PROGRAM`.

Prints `path:line: message` if jaxtyping reports something. An exception that the program raises without it, too, is not its finding.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path

site_packages, program = sys.argv[1:]
path = Path(program)
# Last, so that the program keeps the libraries of its own Python.
sys.path.append(site_packages)
sys.path.insert(0, str(path.parent))

from jaxtyping import TypeCheckError, install_import_hook  # noqa: E402  (found through the line above)

with install_import_hook(path.stem, "beartype.beartype"):
    try:
        importlib.import_module(path.stem)
    except TypeCheckError as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        print(f"{path}:{lines[-1]}: {type(error).__name__}")
    except Exception as error:
        print(f"the program ends with {type(error).__name__}", file=sys.stderr)
