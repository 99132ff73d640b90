"""Seeds errors about shapes into choreographies over arrays and asks `pytrope check` about each.

    python tests/choreo/shape_mutants.py [--show] [--most 60] [NAME …]

The programs are those of examples/choreo/families, whose arrays have shape hints.  Each mutant differs in one place
from its program (tests/mutants/mutate.py; here also two arguments of a call exchanged, and a value replaced by a part of it).
Each runs with three and with four members in threads, and raises if one of these runs does.
A mutant that runs must not be flagged, unless what is found is that a value contradicts its hint: that holds of
every run, and no run checks it.  The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import io
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / "python"), str(HERE), str(HERE.parent / "mutants")]

import families
from checking import check
from mutate import Change, apply, mutants
from pytrope.choreo import ChoreoError, RoleFailed
from pytrope.choreo.runner import project

WANTED = 0.55
# A role that fails ends its peers at once; only one that works on for long is waited for.
families.DEADLINE = 20.0
CPU_SECONDS = 5
MEMORY = 2**31


def exchanged_arguments(tree: ast.AST) -> Iterator[Change]:
    """Two neighbouring arguments of a call, exchanged."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for at in range(len(node.args) - 1):
                args = [*node.args[:at], node.args[at + 1], node.args[at], *node.args[at + 2 :]]
                yield Change("argument", node, ast.unparse(ast.Call(node.func, args, node.keywords)))


def parts_of_values(tree: ast.AST) -> Iterator[Change]:
    """A name that is an operand or an argument, replaced by its first part or by itself with one more axis."""
    for node in ast.walk(tree):
        operands: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            operands = [node.left, node.right]
        elif isinstance(node, ast.Call):
            operands = node.args
        for operand in operands:
            if isinstance(operand, ast.Name):
                yield Change("part", operand, f"{operand.id}[0]")
                yield Change("axis added", operand, f"{operand.id}[None]")


def torch_axes(tree: ast.AST) -> Iterator[Change]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "dim" and isinstance(node.value, ast.Constant):
            yield Change("axis", node.value, str(node.value.value + 1))
            yield Change("axis", node.value, str(node.value.value + 2))


def all_mutants(source: str, seed: int, most: int) -> list[tuple[str, str]]:
    found = mutants(source, seed, 10_000)
    tree = ast.parse(source)
    for change in [*exchanged_arguments(tree), *parts_of_values(tree), *torch_axes(tree)]:
        found.append((change.operator, apply(source, change)))
    random.Random(seed).shuffle(found)
    return found[:most]


def error_of(failure: BaseException) -> str:
    """A program's own error as text; nothing for an error of the runtime, which only follows from one."""
    return "" if isinstance(failure, ChoreoError) else f"{type(failure).__name__}: {failure}"


def run_family(case: families.Case, count: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        project(case.path, Path(folder))
        ours, theirs = case.given(random.Random(count), count)
        try:
            case.in_threads(Path(folder), count, ours, theirs)
        except RoleFailed as failed:
            return next(filter(None, map(error_of, failed.failures.values())), "refused by the runtime")
    return ""


def outcome(name: str, path: Path) -> str:
    """The first error of a mutant's runs; nothing if they end well."""
    try:
        case = families.CASES[name]
        mutant = families.Case(
            path.stem, case.target, case.middle, case.family, case.mesh, case.given, case.expected, path.parent
        )
        return run_family(mutant, 3) or run_family(mutant, 4)
    except Exception as error:  # noqa: BLE001 - whatever the mutant raises is its outcome
        return f"{type(error).__name__}: {error}"


def run_limited(name: str, path: Path) -> str:
    """The outcome as a process of its own finds it, within limits of CPU time and memory: mutants may ask for any size."""

    def answer() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            there.send(outcome(name, path))

    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=answer)
    process.start()
    there.close()
    try:
        return str(here.recv())
    except EOFError:
        return "ended by the limits"
    finally:
        process.join()


def is_about_shapes(text: str) -> bool:
    kind, _, message = text.partition(": ")
    if kind not in {"ValueError", "IndexError", "AxisError", "RuntimeError", "TypeError"}:
        return False
    words = [
        "shape",
        "size",
        "dimension",
        "axis",
        "broadcast",
        "matmul",
        "index",
        "mat1",
        "inconsistent tensor",
        "align",
        "scalar array",
        "same as",
        "length",
    ]
    return any(word in message.lower() for word in words)


def is_hint(finding: dict[str, Any]) -> bool:
    return bool(finding["code"] == "PT207")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--most", type=int, default=60)
    options = parser.parse_args()
    binary = os.environ.get("PYTROPE_BIN") or str(HERE.parent.parent / "target" / "release" / "pytrope")
    # Imported once, not by each process.
    importlib.import_module("torch")
    names = options.names or [path.stem for path in sorted(families.EXAMPLES.glob("*.py"))]
    found = missed = alarms = running = 0
    with tempfile.TemporaryDirectory() as folder:
        sources: dict[str, tuple[str, str, str]] = {}
        for name in names:
            source = families.CASES[name].path.read_text()
            for number, (operator, text) in enumerate(all_mutants(source, zlib.crc32(name.encode()), options.most)):
                made = Path(folder) / f"{name}_{number:03}.py"
                made.write_text(text)
                lines = zip(source.splitlines(), text.splitlines(), strict=False)
                changed = "\n".join(new for old, new in lines if old != new)
                sources[made.name] = operator, run_limited(name, made), changed
        findings = check(binary, folder)
    for file, (operator, raised, changed) in sources.items():
        if is_about_shapes(raised):
            found += bool(findings[file])
            missed += not findings[file]
            if options.show and not findings[file]:
                print(f"missed {file} ({operator}) {raised[:100]!r}\n    {changed.strip()}")
        elif not raised:
            running += 1
            wrong = [finding for finding in findings[file] if not is_hint(finding)]
            alarms += bool(wrong)
            for finding in findings[file]:
                word = "hint" if is_hint(finding) else "FALSE ALARM"
                if options.show or word != "hint":
                    print(f"{word} {file}:{finding['line']}: {finding['message']}\n    {changed.strip()}")
        elif options.show:
            print(f"other {file}: {raised[:100]!r}")
    print(f"{found} of {found + missed} errors about shapes found, {alarms} of {running} running mutants flagged")
    failed = alarms + (found < WANTED * (found + missed))
    print(f"{found + running - alarms} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
