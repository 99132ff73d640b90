"""What `pytrope check` says of a folder of programs, and which lines belong to one statement."""

import ast
import collections
import json
import pathlib
import subprocess
import sys


def statement_lines(source):
    """For each line, the lines of the innermost statement it belongs to (headers of blocks count alone)."""
    spans = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            last = node.body[0].lineno - 1 if getattr(node, "body", None) else node.end_lineno
            for line in range(node.lineno, max(last, node.lineno) + 1):
                spans[line] = range(node.lineno, max(last, node.lineno) + 1)
    return spans


def check(pytrope, folder):
    """All errors and warnings by file name."""
    command = [pytrope, "check", "--output-format", "json", "--exit-zero", str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {result.returncode}:\n{result.stderr}")
    found = collections.defaultdict(list)
    for finding in json.loads(result.stdout)["diagnostics"]:
        if finding["severity"] in {"error", "warning"}:
            found[pathlib.Path(finding["path"]).name].append(finding)
    return found
