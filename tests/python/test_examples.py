"""Every example runs un-projected; its projections, in process and over TCP, compute the same."""

import os
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

import peers
from example_runs import RUNS, ExampleRun
from pytrope.choreo import ELSEWHERE, direct_channel
from pytrope.choreo.direct import load_direct
from pytrope.choreo.outline import find_choreography, read_outline
from pytrope.choreo.runner import Run, project
from pytrope.choreo.values import read_value, show


def direct(run: ExampleRun) -> Any:
    """The result of the global program."""
    path = peers.EXAMPLES / run.file
    module: ModuleType = load_direct(path, f"direct_{path.stem}")
    class_name, method = run.target.split(".")
    found = find_choreography(read_outline(path), class_name)
    given = {
        name: read_value(text, vars(module)) for at_role in run.arguments.values() for name, text in at_role.items()
    }

    def arguments(name: str) -> dict[str, Any]:
        wanted = found.methods.get(name, [])
        return {
            p.name: direct_channel() if p.is_channel else given[p.name]
            for p in wanted
            if p.is_channel or p.name in given
        }

    return getattr(getattr(module, class_name)(**arguments("__init__")), method)(**arguments(method))


def part_at(role: str, run: ExampleRun, result: Any) -> set[str]:
    """How the role's share of the global result may look at that role."""
    if run.at == "AuthResult":
        field = {"Client": "left", "Service": "right"}.get(role)
        return {f"AuthResult_{role}({field}={getattr(result, field)!r})"} if field else {"None", "ELSEWHERE"}
    if isinstance(run.at, str):
        return {show(result)} if role == run.at else {"None"}
    parts = tuple(part if at == role else ELSEWHERE for at, part in zip(run.at, result, strict=True))
    # A role without any part of the result may be given nothing at all.
    return {show(parts)} | ({"None"} if role not in run.at else set())


class Direct(unittest.TestCase):
    def test_every_example_is_run(self) -> None:
        self.assertEqual({run.file for run in RUNS}, {path.name for path in peers.EXAMPLES.glob("*.py")})

    def test_the_global_program_gives_what_is_expected(self) -> None:
        for run in RUNS:
            with self.subTest(run.file, arguments=run.arguments):
                result = direct(run)
                self.assertTrue(run.holds(result), show(result))


class Projected(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        os.environ["PYTROPE_BIN"] = peers.binary()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.projected: set[str] = set()

    def ready(self, run: ExampleRun) -> Run:
        source = peers.EXAMPLES / run.file
        if run.file not in self.projected:
            project(source, self.folder)
            self.projected.add(run.file)
        return Run(source, run.target, self.folder)

    def test_the_projections_compute_what_the_global_program_does(self) -> None:
        for tcp in (False, True):
            for run in RUNS:
                with self.subTest(run.file, arguments=run.arguments, tcp=tcp):
                    ready = self.ready(run)
                    results = ready.simulate(run.arguments, tcp=tcp, deadline=30)
                    wanted = direct(run)
                    self.assertEqual(set(results), set(ready.roles))
                    for role, result in results.items():
                        self.assertIn(show(result), part_at(role, run, wanted), f"at {role}")

    def test_one_process_per_role_gives_the_same(self) -> None:
        """Each example's first run, every role a process of its own that projects the file for itself."""
        for run in {run.file: run for run in reversed(RUNS)}.values():
            with self.subTest(run.file):
                ready = self.ready(run)
                wanted = direct(run)
                for role, (code, out, err) in self.processes(run, ready.roles).items():
                    self.assertEqual((code, err), (0, ""), f"at {role}")
                    self.assertIn(out, {f"{role}: {text}\n" for text in part_at(role, run, wanted)})

    def processes(self, run: ExampleRun, roles: tuple[str, ...]) -> dict[str, tuple[int, str, str]]:
        """Every role listens and connects to the roles before it."""
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in roles]
        addresses = {role: f"127.0.0.1:{s.getsockname()[1]}" for role, s in zip(roles, sockets, strict=True)}
        for each in sockets:
            each.close()
        environment = {**os.environ, "PYTHONPATH": str(peers.ROOT / "python")}
        started: dict[str, subprocess.Popen[str]] = {}
        for index, role in enumerate(roles):
            command = [sys.executable, "-m", "pytrope.choreo", "run", str(peers.EXAMPLES / run.file), run.target]
            command += ["--role", role, "--listen", addresses[role], "--session", "test", "--deadline", "120"]
            for before in roles[:index]:
                command += ["--connect", f"{before}={addresses[before]}"]
            for name, value in run.arguments.get(role, {}).items():
                command += ["--at", role, f"{name}={value}"]
            started[role] = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
            )
        ended = {}
        for role, process in started.items():
            out, err = process.communicate(timeout=240)
            ended[role] = process.returncode, out, err
        return ended


if __name__ == "__main__":
    unittest.main()
