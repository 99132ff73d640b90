"""Projects random choreographies with the real binary and runs them on the real runtime.

    python tests/choreo/random_choreographies.py [--in-process 2000] [--tcp 100] [--damaged 300] [--seed 1]

Well-formed ones must be accepted, end, give every role what the global program gives, and leave no
message unread.  Damaged ones must be refused, or end with the results of the (damaged) global program.
The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent.parent / "python"))

from generate import damaged, well_formed
from pytrope.choreo import ELSEWHERE, RoleFailed, Session, direct_channel, local_channel, run_roles, tcp_channel
from pytrope.choreo.direct import load_direct

PER_FILE = 25
# Nothing here waits that long, unless roles wait for each other: traced programs on a loaded machine take their time.
DEADLINE = 300.0


def binary() -> str:
    found = os.environ.get("PYTROPE_BIN") or str(HERE.parent.parent / "target" / "release" / "pytrope")
    if not Path(found).is_file():
        sys.exit(f"no binary at {found}: build it with `cargo build --release -p pytrope`, or set PYTROPE_BIN")
    return found


def project(path: Path) -> tuple[dict[str, types.ModuleType] | None, str]:
    """The modules by role, or why there are none."""
    done = subprocess.run(
        [binary(), "project", str(path), "--output-format", "json"], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        return None, f"exit code {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    if done.returncode == 1:
        first = report["diagnostics"][0]
        return None, f"{first['code']} {first['line']}: {first['message']}"
    modules = {}
    for file in report["files"]:
        name = f"{path.stem}_{Path(file['path']).stem}"
        module = types.ModuleType(name)
        sys.modules[name] = module
        exec(compile(file["source"], file["path"], "exec"), vars(module))  # noqa: S102
        modules[file["path"].rsplit("_", 1)[1].removesuffix(".py").upper()] = module
    return modules, ""


def play(
    modules: dict[str, types.ModuleType], name: str, roles: list[str], given: dict[str, int], tcp: bool
) -> dict[str, Any]:
    """Every role's result; the runtime fails the run if a message is left unread."""
    ends: dict[str, dict[str, Any]] = {role: {} for role in roles}
    for one, other in itertools.combinations(roles, 2):
        channel = f"{one}{other}".lower()
        if tcp:
            pair = tcp_channel(one, other, session=Session(name=f"{name}-{channel}", deadline=DEADLINE))
        else:
            pair = local_channel(one, other, deadline=DEADLINE)
        for role, end in zip((one, other), pair, strict=True):
            ends[role][channel] = end

    def program(role: str) -> Any:
        cls = getattr(modules[role], f"{name}_{role}")
        return lambda: cls(**ends[role]).run(**{f"x_{role}": given[role]})

    everything = [end for mine in ends.values() for end in mine.values()]
    return run_roles({role: program(role) for role in roles}, everything)


class Endless(Exception):
    """A program did not end within its steps."""


DAMAGED_LINES = 20_000
WELL_FORMED_LINES = 5_000_000
"""A well-formed program ends by its construction, but loops around calls of methods with loops multiply: of 20,000, one
runs for more than 20,000 lines."""


@contextlib.contextmanager
def limited(lines: int) -> Iterator[None]:
    """Stops what runs more lines of Python than this."""
    left = lines

    def trace(frame: types.FrameType, event: str, argument: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise Endless
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def compare(
    modules: dict[str, types.ModuleType],
    direct: types.ModuleType,
    name: str,
    roles: list[str],
    given: dict[str, int],
    tcp: bool,
    damage: str = "",
) -> str:
    """What is wrong with a run, if anything."""
    cls = getattr(direct, name)
    channels = {f"{one}{other}".lower(): direct_channel() for one, other in itertools.combinations(roles, 2)}
    try:
        with limited(DAMAGED_LINES if damage else WELL_FORMED_LINES):
            expected = cls(**channels).run(**{f"x_{role}": given[role] for role in roles})
    except Exception as error:  # noqa: BLE001 - see below
        # A damaged program may fail or run for ever all by itself; then nothing was promised.
        return "" if damage else f"global program: {error!r}"
    try:
        results = play(modules, name, roles, given, tcp)
    except (RoleFailed, AssertionError) as error:
        return f"{error!r}"
    for at, role in enumerate(roles):
        wanted = expected and tuple(value if place == at else ELSEWHERE for place, value in enumerate(expected))
        if results[role] != wanted:
            return f"{role} got {results[role]!r}, not {wanted!r}"
    return ""


def keep(path: Path, folder: Path) -> Path:
    kept = folder / path.name
    kept.write_text(path.read_text())
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--in-process", type=int, default=2000)
    parser.add_argument("--tcp", type=int, default=100)
    parser.add_argument("--damaged", type=int, default=400)
    parser.add_argument("--seed", type=int, default=20261115)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "failed_choreographies")
    options = parser.parse_args()
    passed, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(options.seed)
        for batch, start in enumerate(range(0, max(options.in_process, options.tcp), PER_FILE)):
            text, made = well_formed(options.seed + batch, PER_FILE)
            path = Path(folder) / f"random{batch}.py"
            path.write_text(text)
            modules, refused = project(path)
            if modules is None:
                options.keep.mkdir(exist_ok=True)
                failures.append(f"{keep(path, options.keep)}: refused: {refused}")
                continue
            direct = load_direct(path)
            for at, (name, roles) in enumerate(made):
                given = {role: rng.randint(0, 60) for role in roles}
                for tcp in (False, True):
                    if start + at >= (options.tcp if tcp else options.in_process):
                        continue
                    wrong = compare(modules, direct, name, roles, given, tcp)
                    if wrong:
                        options.keep.mkdir(exist_ok=True)
                        failures.append(
                            f"{keep(path, options.keep)} {name} {given} {'tcp' if tcp else 'in process'}: {wrong}"
                        )
                    else:
                        passed += 1
        refusals = harmless = 0
        for at in range(options.damaged):
            text, name, roles, kind = damaged(options.seed + at)
            path = Path(folder) / f"damaged{at}.py"
            path.write_text(text)
            modules, refused = project(path)
            if modules is None:
                refusals += 1
                if refused.startswith("exit code"):
                    options.keep.mkdir(exist_ok=True)
                    failures.append(f"{keep(path, options.keep)} {kind}: {refused}")
                else:
                    passed += 1
                continue
            direct = load_direct(path)
            wrong = ""
            for _ in range(4):
                given = {role: rng.randint(0, 60) for role in roles}
                wrong = wrong or compare(modules, direct, name, roles, given, tcp=False, damage=kind)
            if wrong:
                options.keep.mkdir(exist_ok=True)
                failures.append(f"{keep(path, options.keep)} {kind}: {wrong}")
            else:
                harmless += 1
                passed += 1
    print(f"damaged: {refusals} refused, {harmless} harmless")
    for failure in failures[:20]:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
