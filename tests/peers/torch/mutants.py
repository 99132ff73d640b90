"""Tutorial programs of PyTorch, each number of them changed in turn: run under PyTorch and checked by us.

    /usr/bin/python3 tests/peers/torch/mutants.py --pytrope PYTROPE [--sample N] [--show] [--only NAME]

A mutant that runs must have no error (a false alarm fails the test). A mutant that raises counts as found if we report
the same class at a line of its traceback. The programs as they are must run without a finding. The last line is
`N passed, M failed`.
"""

import argparse
import ast
import collections
import io
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings

import torch

PROGRAMS = pathlib.Path(__file__).parent / "programs"

# Seconds that one mutant may run; what takes longer is left out.
PATIENCE = 20


def numbers(tree):
    """The integers of a program, but those that say how often something is done."""
    repeated = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and getattr(node.iter.func, "id", "") == "range":
            repeated.update(id(argument) for argument in node.iter.args)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in repeated:
            yield node


def swapped(tree):
    """Calls with two positional arguments, whose order is easily confused."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) == 2 and not any(isinstance(argument, ast.Starred) for argument in node.args):
            first, second = node.args
            if first.end_lineno == second.lineno:
                yield first, second


def mutants(source):
    """Every mutant with what was changed."""
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)

    def replaced(edits):
        changed = list(lines)
        for line, start, end, text in sorted(edits, reverse=True):
            own = changed[line - 1].encode()
            changed[line - 1] = (own[:start] + text.encode() + own[end:]).decode()
        return "".join(changed)

    for node in numbers(tree):
        for value in (node.value + 1, node.value * 2):
            if value != node.value:
                yield f"line {node.lineno}: {node.value} -> {value}", replaced([(node.lineno, node.col_offset, node.end_col_offset, str(value))])
    for first, second in swapped(tree):
        if first.lineno == first.end_lineno and second.lineno == second.end_lineno:
            texts = [ast.get_source_segment(source, part) for part in (first, second)]
            edits = [(first.lineno, first.col_offset, first.end_col_offset, texts[1]), (second.lineno, second.col_offset, second.end_col_offset, texts[0])]
            yield f"line {first.lineno}: {texts[0]} and {texts[1]} change places", replaced(edits)


def outcome(path, source):
    """What PyTorch makes of a program, in a process of its own: None, or the class and the lines of the traceback."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(PATIENCE)
        result = None
        torch.set_num_threads(1)
        torch.manual_seed(0)
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(source, path, "exec"), {"__name__": "__main__", "__file__": path})
        except BaseException as error:
            frames = traceback.extract_tb(error.__traceback__)
            result = [type(error).__name__, [frame.lineno for frame in frames if frame.filename == path]]
        os.write(writer, json.dumps(result).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if status == 0 and text else "lost"


def checked(pytrope, folder):
    """Our errors by file: (class, line)."""
    answer = subprocess.run([pytrope, "check", "--output-format", "json", folder], capture_output=True, text=True)
    found = collections.defaultdict(list)
    for finding in json.loads(answer.stdout)["diagnostics"]:
        if finding["severity"] == "error":
            found[pathlib.Path(finding["path"]).name].append((finding.get("raises"), finding["line"], finding["message"]))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pytrope", required=True)
    parser.add_argument("--sample", type=int, default=1, help="every so many mutants")
    parser.add_argument("--only", help="one program")
    parser.add_argument("--show", action="store_true", help="print what is missed")
    arguments = parser.parse_args()
    cases = {}
    with tempfile.TemporaryDirectory() as folder:
        for program in sorted(PROGRAMS.glob("*.py")):
            if arguments.only and program.stem != arguments.only:
                continue
            source = program.read_text()
            cases[f"{program.stem}__original.py"] = ("as it is", source)
            for number, (what, text) in enumerate(mutants(source)):
                if number % arguments.sample == 0:
                    cases[f"{program.stem}__{number:04}.py"] = (what, text)
        for name, (_, text) in cases.items():
            pathlib.Path(folder, name).write_text(text)
        ours = checked(arguments.pytrope, folder)
        count = collections.Counter()
        failed = 0
        for name, (what, text) in cases.items():
            real = outcome(str(pathlib.Path(folder, name)), text)
            errors = ours.get(name, [])
            if real == "lost":
                count["left out"] += 1
            elif real is None:
                count["runs"] += 1
                if errors:
                    failed += 1
                    print(f"FALSE ALARM {name} ({what}): {errors}", flush=True)
            elif name.endswith("__original.py"):
                failed += 1
                print(f"FAIL {name} does not run: {real}", flush=True)
            else:
                count["raises"] += 1
                kind, lines = real
                if any(line in lines and raised == kind for raised, line, _ in errors):
                    count["found"] += 1
                elif any(line in lines for _, line, _ in errors):
                    failed += 1
                    print(f"WRONG CLASS {name} ({what}): {kind}, ours {errors}", flush=True)
                elif errors:
                    count["found elsewhere"] += 1
                    if arguments.show:
                        print(f"elsewhere {name} ({what}): {real}, ours {errors}", flush=True)
                else:
                    count["missed"] += 1
                    if arguments.show:
                        print(f"missed {name} ({what}): {real}", flush=True)
    share = 100 * count["found"] / max(1, count["raises"])
    print(f"{len(cases)} programs: {count['runs']} run, {count['raises']} raise, of which {count['found']} found ({share:.0f} %), {count['found elsewhere']} elsewhere, {count['missed']} missed; {count['left out']} left out")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
