"""docs/choreographies.md: every example with how to run it, what comes out, and its diagrams.

`python tests/python/gallery.py` writes the page with the binary; a test says when it is out of date.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import peers
from example_runs import RUNS, ExampleRun
from pytrope.choreo.outline import without_type_parameters
from pytrope.choreo.runner import Run, projected
from pytrope.choreo.values import show

PAGE = peers.ROOT / "docs" / "choreographies.md"

CLASSICS = [
    "hello_roles.py",
    "dist_auth.py",
    "buyer_seller_shipper.py",
    "single_sign_on.py",
    "diffie_hellman.py",
    "remote_function.py",
    "mergesort.py",
    "quicksort.py",
    "karatsuba.py",
    "ping_pong.py",
    "vitals_streaming.py",
]
LEARNING = [
    "fedavg.py",
    "secure_aggregation.py",
    "split_learning.py",
    "parameter_server.py",
    "vertical_logistic.py",
    "model_release.py",
]

INTRODUCTION = """# Choreographies, with their diagrams

Written by `python tests/python/gallery.py` from the files in [examples/choreo](../examples/choreo): what
each is about, a run of it (numbers rounded, long results shortened), and what `pytrope project --diagram`
draws: solid arrows are values, dashed ones selections. How choreographies are read is in
[project.md](project.md), how they run in [choreo-runtime.md](choreo-runtime.md).
"""


def page() -> str:
    """The whole page."""
    first = {run.file: run for run in reversed(RUNS)}
    parts = [INTRODUCTION, "## Classics\n", *(section(first[name]) for name in CLASSICS)]
    parts += ["## Machine learning\n", *(section(first[name]) for name in LEARNING)]
    return "\n".join(parts)


def section(run: ExampleRun) -> str:
    path = peers.EXAMPLES / run.file
    about = ast.get_docstring(ast.parse(without_type_parameters(path.read_text())[0])) or ""
    lines = [f"### [{run.file}](../examples/choreo/{run.file})\n", about + "\n", "```console", *ran(run), "```\n"]
    return "\n".join(lines) + "\n" + diagrams(path)


def ran(run: ExampleRun) -> list[str]:
    """The command and what it prints, long numbers and lists shortened."""
    command = f"$ python -m pytrope.choreo run examples/choreo/{run.file} {run.target}"
    for role, given in run.arguments.items():
        command += f" \\\n    --at {role} " + " ".join(quoted(f"{name}={value}") for name, value in given.items())
    source = peers.EXAMPLES / run.file
    with projected(source) as folder:
        results = Run(source, run.target, folder).simulate(run.arguments)
    return [command, *(f"{role}: {shortened(show(result))}" for role, result in results.items())]


def quoted(word: str) -> str:
    """For a shell, in the quotes that read best."""
    return f'"{word}"' if "'" in word and not set(word) & set('"$`\\!') else shlex.quote(word)


def shortened(text: str) -> str:
    """Digits that depend on the machine's mathematics are not worth a page that changes."""
    rounded = re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.4g}", text)
    return rounded if len(rounded) <= 100 else rounded[:60] + "…" + rounded[-20:]


def diagrams(path: Path) -> str:
    done = subprocess.run(
        [os.environ["PYTROPE_BIN"], "project", str(path), "--diagram", "mermaid", "--output-format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    drawn = json.loads(done.stdout)["files"]
    if not drawn:
        raise AssertionError(f"{path.name} has no diagram")
    return "\n".join(
        f"`{file['path'].removesuffix('.mmd')}`\n\n```mermaid\n{file['source'].rstrip()}\n```\n" for file in drawn
    )


def main() -> None:
    os.environ["PYTROPE_BIN"] = peers.binary()
    PAGE.write_text(page())


if __name__ == "__main__":
    sys.exit(main())
