"""Parses every Python file under some folders with CPython's own parser, as a peer of `pytrope parse`.

usage: ast_parse.py FOLDER ...
"""

import ast
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
files = errors = 0
for folder in sys.argv[1:]:
    for path in sorted(pathlib.Path(folder).rglob("*.py*")):
        if path.suffix in (".py", ".pyi"):
            files += 1
            try:
                ast.parse(path.read_bytes())
            except (SyntaxError, ValueError):
                errors += 1
print(files, errors)
