"""Choreographies in many styles, projected and run in process, over TCP and over ZeroMQ against their global meaning.

    python tests/choreo/strangers.py [--all] [NAME …]

Each file of tests/choreo/strangers, and of tests/choreo/ports, which are written after programs of other choreographic languages,
ends with `# run: Class.method Role.name=value …`, or with a function's name.  Every tenth runs also with a process for each role,
with `--all` every one.  The last line is `N passed, N failed`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import io
import multiprocessing
import os
import re
import shlex
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDERS = [HERE / "strangers", HERE / "ports"]
sys.path[:0] = [str(HERE.parent.parent / "python"), *map(str, FOLDERS)]

from pytrope.choreo import ELSEWHERE, ChoreoError, RoleFailed, Session, direct_channel
from pytrope.choreo.direct import load_direct
from pytrope.choreo.runner import Run, project
from pytrope.choreo.values import read_value

DEADLINE = 60.0
TRANSPORTS = ["local", "tcp", "memory"]
if importlib.util.find_spec("zmq") is not None:
    TRANSPORTS.append("zmq")
elif os.environ.get("PYTROPE_REQUIRE_PEERS") == "1":
    sys.exit("a required peer is missing: pyzmq")
else:
    print("MISSING PEER: pyzmq; nothing is run over ZeroMQ", file=sys.stderr)


def command_of(path: Path) -> tuple[str, dict[str, dict[str, str]]]:
    """What to run, and each role's arguments as text."""
    found = re.search(r"^# run: (\S+)(.*)$", path.read_text(), re.MULTILINE)
    if found is None:
        raise AssertionError(f"{path.name} does not say how to run it")
    arguments: dict[str, dict[str, str]] = {}
    for item in shlex.split(found[2]):
        place, _, value = item.partition("=")
        role, _, name = place.partition(".")
        arguments.setdefault(role, {})[name] = value
    return found[1], arguments


def call(function: Any, values: dict[str, Any]) -> Any:
    positional, named = [], {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in values and parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(values[name])
        elif name in values:
            named[name] = values[name]
    return function(*positional, **named)


def global_meaning(path: Path, run: Run, target: str, arguments: dict[str, dict[str, str]]) -> Any:
    module = load_direct(path)
    values: dict[str, Any] = {channel.name: direct_channel() for channel in run.channels}
    for given in arguments.values():
        values |= {name: read_value(text, vars(module)) for name, text in given.items()}
    name, _, method = target.partition(".")
    made = call(getattr(module, name), values)
    return call(getattr(made, method), values) if method else made


def agrees(got: Any, wanted: Any) -> bool:
    """Whether a role's result is the global one, as far as the role has it."""
    if got is ELSEWHERE:
        return True
    if isinstance(got, tuple) and isinstance(wanted, tuple) and type(got) is tuple:
        return len(got) == len(wanted) and all(map(agrees, got, wanted))
    # Each role has its own copy of a class.
    return repr(got) == repr(wanted)


def in_processes(run: Run, arguments: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Every role in a process of its own, over TCP; what each result looks like."""
    addresses = {}
    for role in run.roles:
        with socket.create_server(("127.0.0.1", 0)) as free:
            addresses[role] = "127.0.0.1:%d" % free.getsockname()[1]
    session = Session(name=run.source.stem, deadline=DEADLINE)
    context = multiprocessing.get_context("fork")
    results: dict[str, Any] = {}
    pipes, processes = {}, []
    for role in run.roles:
        pipes[role], there = context.Pipe()

        def perform(role: str = role, there: Any = there) -> None:
            try:
                peers = run.peers_to_reach(role, addresses)
                given = {role: arguments.get(role, {})}
                there.send((True, shown(run.perform(role, given, session, addresses[role], peers))))
            except BaseException as error:  # noqa: BLE001 - the parent says what went wrong where
                there.send((False, repr(error)))

        processes.append(context.Process(target=perform, daemon=True))
        processes[-1].start()
    for role, pipe in pipes.items():
        fine, results[role] = pipe.recv()
        if not fine:
            raise ChoreoError(f"in processes {role}: {results[role]}")
    for process in processes:
        process.join(DEADLINE)
    return results


def shown(result: Any) -> Any:
    """A result that can be sent and compared: each role has its own copy of a class."""
    if type(result) is tuple:
        return tuple(map(shown, result))
    return result if result is None or result is ELSEWHERE else Shown(repr(result))


class Shown(str):
    """What a value in another process looks like."""

    def __repr__(self) -> str:
        return str(self)


def wrong_with(path: Path, processes: bool) -> str:
    target, arguments = command_of(path)
    with tempfile.TemporaryDirectory() as folder:
        try:
            project(path, Path(folder))
            run = Run(path, target, Path(folder))
            wanted = global_meaning(path, run, target, arguments)
            for transport in TRANSPORTS:
                results = run.simulate(arguments, transport=transport, deadline=DEADLINE)
                held = {role: result for role, result in results.items() if result is not None}
                if wanted is not None and not held:
                    return f"no role has the result {wanted!r}"
                for role, result in held.items():
                    if not agrees(result, wanted):
                        return f"over {transport} {role} got {result!r}, not {wanted!r}"
            if processes:
                for role, result in in_processes(run, arguments).items():
                    if result is not None and not agrees(result, wanted):
                        return f"in processes {role} got {result!r}, not {wanted!r}"
        except (ChoreoError, RoleFailed) as error:
            return str(error)
    return ""


def main() -> int:
    chosen = {name for name in sys.argv[1:] if not name.startswith("-")}
    everything = "--all" in sys.argv[1:]
    passed, failed = 0, 0
    for at, path in enumerate(path for folder in FOLDERS for path in sorted(folder.glob("*.py"))):
        if chosen and path.stem not in chosen:
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            wrong = wrong_with(path, everything or at % 10 == 0)
        passed += not wrong
        failed += bool(wrong)
        if wrong:
            print(f"{path.name}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
