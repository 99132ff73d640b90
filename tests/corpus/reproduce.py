"""Runs what docs/true-defects.md writes up: every listed finding is raised by the released library at that place.

    python reproduce.py LIST [--tree FOLDER] [--only WORDS] [--apart]

A line of LIST is a finding as `check --output-format concise` prints it. For each there is a program in
`reproducers.py`; without one the function it stands in is called with stand-ins for its arguments, and if that fails
earlier, its statement is run by itself with stand-ins for the local names. Findings under a comment that starts with
`# Read: ` are not run. With `--apart` each has an interpreter of its own, with limits of time and memory. Passes if Python raises the class that the finding names, with its innermost frame of
that file on that line.
"""

import argparse
import ast
import builtins
import importlib
import inspect
import logging
import os
import pathlib
import re
import resource
import subprocess
import sys
import sysconfig
import traceback
import warnings
from unittest.mock import MagicMock

import reproducers
import torch_stand_in

LINE = re.compile(r"(?P<path>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<code>PT\d+) (?P<raises>\w+): (?P<message>.*)")


def enclosing(path, line):
    """The classes and functions around a line, outermost first."""
    found = []
    stack = [(ast.parse(path.read_bytes()), [])]
    while stack:
        node, names = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                if child.lineno <= line <= child.end_lineno:
                    found = names + [child.name]
                    stack.append((child, found))
            else:
                stack.append((child, names))
    return found


def call_with_stand_ins(module, names):
    """Calls the method or function of that name with a stand-in for each argument."""
    owner = module
    for name in names[:-1]:
        owner = getattr(owner, name)
    function = inspect.getattr_static(owner, names[-1])
    function = inspect.unwrap(getattr(function, "__func__", function))
    arguments = []
    for position, parameter in enumerate(inspect.signature(function).parameters.values()):
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            break
        if position == 0 and inspect.isclass(owner):
            arguments.append(object.__new__(owner))
        elif parameter.default is parameter.empty:
            arguments.append(MagicMock(name=parameter.name))
    return function(*arguments)


def run_alone(dotted, path, line, message):
    """Runs the statement of a line by itself in its module, with stand-ins for the local names it reads."""
    try:
        module = vars(importlib.import_module(dotted))
    except Exception:  # noqa: BLE001 - the module cannot even be imported: little of it is needed then
        source, name = reproducers.NAMES.get(f"{dotted.replace('.', '/')}.py:{line}", (None, None))
        module = {name: getattr(importlib.import_module(source), name)} if source else None
    tree = ast.parse(path.read_bytes())
    simple = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    simple += [ast.copy_location(ast.Expr(node.test), node.test) for node in ast.walk(tree) if isinstance(node, ast.If)]
    statement = next(node for node in simple if node.lineno <= line <= node.end_lineno)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    around = [node for node in functions if node.lineno <= line <= node.end_lineno]
    bound = {node.id for outer in around for node in ast.walk(outer) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for outer in around for node in ast.walk(outer) if isinstance(node, ast.arg)}
    read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    given = [name for name in sorted(read & bound if module else read) if f"'{name}'" not in message]
    probe = ast.FunctionDef("probe", ast.arguments([], [ast.arg(name) for name in given], None, [], [], None, []), [statement], [])
    program = ast.fix_missing_locations(ast.Module([probe], []))
    namespace = dict(module or {})
    exec(compile(program, str(path), "exec"), namespace)  # noqa: S102 - the library's own line
    return namespace["probe"](*[MagicMock(name=name) for name in given])


def raised_at(error, path):
    """The line of the innermost frame in a file."""
    frames = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return frames[-1] if frames else None


def home(path):
    """The folder that a file is found in: installed libraries before Python's own."""
    folders = [pathlib.Path(sysconfig.get_path(name)) for name in ("purelib", "platlib", "stdlib")]
    return next((folder for folder in folders if (folder / path).exists()), folders[0])


def with_torch(path, line, names):
    """Runs the statement of a line in an interpreter that has PyTorch; its exception, or None."""
    python = os.environ.get("PYTROPE_TORCH_PYTHON", "/usr/bin/python3")
    script = pathlib.Path(__file__).with_name("one_statement.py")
    command = [python, str(script), str(path), str(line), names]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def refused_by_the_compiler(path):
    try:
        compile(path.read_bytes(), str(path), "exec")
    except SyntaxError:
        return None
    return "it compiles"


def reproduce(finding, tree):
    path = tree / finding["path"]
    line = int(finding["line"])
    key = f"{finding['path']}:{line}"
    if finding["raises"] == "SyntaxError":
        return refused_by_the_compiler(path)
    if key in reproducers.WITH_TORCH:
        raised = with_torch(path, line, reproducers.WITH_TORCH[key])
        return None if raised == finding["raises"] else f"PyTorch raises {raised}"
    dotted = finding["path"].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    program = reproducers.PROGRAMS.get(key)
    if program is None:
        whole = attempt(finding, path, lambda: call_with_stand_ins(importlib.import_module(dotted), enclosing(path, line)))
        if whole is None:
            return None
        alone = attempt(finding, path, lambda: run_alone(dotted, path, line, finding["message"]))
        return alone and f"{whole}; alone: {alone}"
    return attempt(finding, path, program)


def attempt(finding, path, program):
    """What else than the finding came of running a program."""
    line = int(finding["line"])
    defined = []
    try:
        while True:
            try:
                program()
                return "nothing is raised"
            except NameError as error:
                # An undefined name hides the next one: it is given a value for the next attempt.
                name = getattr(error, "name", None)
                if name is None or f"'{name}'" in finding["message"] or name in defined:
                    raise
                defined.append(name)
                setattr(builtins, name, torch_stand_in.Anything)
    except BaseException as error:  # noqa: BLE001 - whatever is raised is looked at
        is_class = any(base.__name__ == finding["raises"] for base in type(error).__mro__)
        if is_class and raised_at(error, path) == line:
            return None
        return f"{type(error).__name__}: {error} at line {raised_at(error, path)}"
    finally:
        for name in defined:
            delattr(builtins, name)


def to_be_run(text):
    """The findings of a list, without those that were only read."""
    is_read = False
    for line in text.splitlines():
        if line.startswith("#"):
            is_read = line.startswith("# Read: ")
        elif not is_read:
            yield line


def apart(arguments, findings):
    """Runs each finding in an interpreter of its own; the number of those that were not shown."""
    limit = 8 << 30
    failures = 0
    for finding in findings:
        place = f"{finding['path']}:{finding['line']}:{finding['column']}: "
        command = [sys.executable, __file__, str(arguments.list), "--only", place]
        if arguments.tree:
            command += ["--tree", str(arguments.tree)]
        limits = lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))  # noqa: E731
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=300, preexec_fn=limits)  # noqa: PLW1509
            shown = run.returncode == 0
        except subprocess.TimeoutExpired:
            shown = False
        if not shown:
            failures += 1
            print(f"{place}not shown")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("--tree", type=pathlib.Path, help="where the files are; else where Python finds its own")
    parser.add_argument("--only", default="")
    parser.add_argument("--apart", action="store_true", help="each finding in an interpreter of its own")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable()
    if arguments.tree:
        sys.path.insert(0, str(arguments.tree))
    torch_stand_in.install()
    failures = 0
    lines = to_be_run(arguments.list.read_text())
    findings = [LINE.match(line) for line in lines if arguments.only in line]
    if arguments.apart:
        failures = apart(arguments, findings)
    for finding in [] if arguments.apart else findings:
        problem = reproduce(finding.groupdict(), arguments.tree or home(finding["path"]))
        if problem is not None:
            failures += 1
            print(f"{finding['path']}:{finding['line']}: {problem}")
    print(f"{len(findings) - failures} of {len(findings)} findings reproduced")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
