"""Validates what `pytrope check --output-format sarif` prints against the official schema.

usage: validate.py SCHEMA PYTROPE FOLDER
"""

import json
import pathlib
import shutil
import subprocess
import sys

import jsonschema

NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n"]},
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": ["x = (\n"]},
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}

FILES = {
    "nothing": {"good.py": "x = 1\n"},
    "syntax": {"bad name%.py": "def f(\n", "sub/é.py": "x = = 1\n"},
    "encoding": {"latin.py": b"x = '\xe9'\n"},
    "comments": {"a.py": "x = 1  # pytrope: ignore[broadcast-mismatch]\ny = 2  # pytrope: ignore\n"},
    "notebook": {"n.ipynb": json.dumps(NOTEBOOK)},
    "shapes": {"s.py": "import numpy as np\na = np.ones((2, 3))\nb = np.ones((4, 5))\nc = a @ b\nreveal_type(a)\n"},
}


def main() -> int:
    schema_path, binary, folder = map(pathlib.Path, sys.argv[1:])
    schema = json.loads(schema_path.read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    shutil.rmtree(folder, ignore_errors=True)
    passed = failed = 0
    for case, files in FILES.items():
        for name, content in files.items():
            path = folder / case / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        command = [binary.resolve(), "check", "--isolated", "--output-format", "sarif", "."]
        done = subprocess.run(command, cwd=folder / case, capture_output=True, check=False)
        document = json.loads(done.stdout)
        errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
        results = document["runs"][0]["results"]
        if case != "nothing" and case != "shapes" and not results:
            errors.append("the case has no finding")
        # A second reader, so that the schema is not the only judge: what it locates must exist.
        for result in results:
            for location in result["locations"]:
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                if not (folder / case / unquote(uri)).is_file():
                    errors.append(f"{uri} is not a file of the case")
        print(f"{case}: {len(results)} results, {len(errors)} errors", *errors, sep="\n  ")
        passed, failed = (passed, failed + 1) if errors else (passed + 1, failed)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def unquote(uri: str) -> str:
    from urllib.parse import unquote as decode

    return decode(uri)


if __name__ == "__main__":
    sys.exit(main())
