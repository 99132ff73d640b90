"""`python -m pytrope.choreo run`: all roles in one process, or one role per process."""

import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import peers
from pytrope.choreo import ChoreoError
from pytrope.choreo.outline import find_choreography, read_outline
from pytrope.choreo.runner import find_target
from pytrope.choreo.values import read_value, show

CASES = Path(__file__).parent / "runner_cases"
TALK = CASES / "talk.py"
PORTS = peers.ROOT / "tests" / "choreo" / "ports"


def start(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    env = {**os.environ, "PYTHONPATH": str(peers.ROOT / "python"), **environment}
    command = [sys.executable, "-m", "pytrope.choreo", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
    process = start(*arguments, **environment)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def talk(*arguments: str) -> tuple[int, str, str]:
    return run("run", str(TALK), *arguments, "--generated", str(CASES))


ROUND = ["Talk.round", "--at", "A", "box=Box(content=5)", "--at", "B", "bonus=1", "--at", "C", "bonus=100"]


class Simulation(unittest.TestCase):
    def test_every_role_prints_its_result(self) -> None:
        for transport in ([], ["--tcp"]):
            code, out, err = talk(*ROUND, *transport)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(out, "A: (Box(content=111), ELSEWHERE)\nB: (ELSEWHERE, 2)\nC: (ELSEWHERE, ELSEWHERE)\n")

    def test_a_constructor_argument_with_a_default(self) -> None:
        code, out, _ = talk(*ROUND, "--at", "B", "factor=10", "--json")
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["B"], ["ELSEWHERE", 10])

    def test_a_failure_names_its_role_first(self) -> None:
        code, out, err = talk("Talk.fail", "--at", "A", "box=Box(1)")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(
            err.splitlines(),
            [
                "B: ArithmeticError: the machine is broken",
                "A: PeerAborted: B aborted: ArithmeticError: the machine is broken",
                "C: PeerAborted: B aborted: ArithmeticError: the machine is broken",
            ],
        )

    def test_wrong_commands_say_what_is_wrong(self) -> None:
        for arguments, code, text in [
            (["Talk.round", "--at", "A", "box"], 2, "'box' is not NAME=VALUE"),
            (["Talk.round", "--at", "D", "x=1"], 1, "D is not a role of Talk; the roles are A, B, C"),
            (["Talk.round", "--at", "A", "bonus=1"], 1, "bonus lives at B, C, not at A"),
            (
                ["Talk.round", "--at", "A", "ball=1"],
                1,
                "there is no parameter ball; the parameters are: factor, box, bonus",
            ),
            (["Talk.round", "--at", "A", "box=1 +"], 1, "is not a Python value"),
            (["Talk.round", "--at", "A", "box=open('x')"], 1, "is not a value known here"),
            (["Talk.round"], 1, "A needs a value: --at A box=…"),
            (["Talk"], 1, "'Talk' is not Class.method"),
            (["Talk.walk"], 1, "Talk has no method walk; it has: round, fail"),
            (["Walk.round"], 1, "there is no choreography Walk; the file has: Talk, Turned, Alone"),
            (["Talk.round", "--connect", "B"], 2, "'B' is not ROLE=HOST:PORT"),
            (["Talk.round", "--role", "A", "--connect", "B=nowhere"], 2, "'nowhere' is not HOST:PORT"),
            (["Talk.round", "--role", "A", "--listen", "nowhere"], 2, "'nowhere' is not HOST:PORT"),
            (["Talk.round", "--deadline", "0"], 2, "a deadline must be a positive number"),
            (["Talk.round", "--heartbeat", "1"], 2, "--heartbeat is for one role per process"),
            (["Talk.round", "--listen", "127.0.0.1:9"], 2, "--listen is for one role per process"),
            (["Talk.round", "--async", "--diagram", "x.mmd"], 2, "without --events, --diagram and --otel"),
            (["Talk.round", "--role", "A", "--at", "A", "box=1"], 1, "A has no address of B, C and does not listen"),
            (["Talk.round", "--role", "A", "--peers", "B=:1,C=:2"], 1, "B, C will connect to A, whose address is"),
            (["Talk.round", "--role", "X"], 1, "X is not a role of Talk"),
            (["Talk.round", "--role", "A", "--connect", "A=:1"], 1, "A cannot connect to A; its peers: B, C"),
        ]:
            with self.subTest(arguments):
                got, out, err = talk(*arguments)
                self.assertEqual((got, out), (code, ""))
                self.assertIn(text, err)
                self.assertNotIn("Traceback", err)

    def test_a_missing_file(self) -> None:
        self.assertEqual(run("run", "nowhere.py", "A.b")[0], 2)


class Projecting(unittest.TestCase):
    """A stand-in for the binary shows what the runner does with its answer."""

    def stand_in(self, script: str) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "pytrope")
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def test_the_named_binary_projects_into_a_folder(self) -> None:
        binary = self.stand_in(f'test "$1" = project && test "$3" = -o && cp {CASES}/talk_*.py "$4"')
        code, out, err = run("run", str(TALK), *ROUND, PYTROPE_BIN=binary)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(out.startswith("A: (Box(content=111), ELSEWHERE)"))

    def test_a_refusal_is_passed_on(self) -> None:
        code, out, err = run(
            "run", str(TALK), *ROUND, PYTROPE_BIN=self.stand_in("echo 'talk.py:3:1: PT501 no' >&2; exit 1")
        )
        self.assertEqual((code, out, err), (1, "", "talk.py:3:1: PT501 no\n"))

    def test_no_binary_at_all(self) -> None:
        code, _, err = run("run", str(TALK), *ROUND, PYTROPE_BIN="/nowhere/pytrope")
        self.assertEqual(code, 1)
        self.assertIn("cannot run pytrope", err)


class OneRolePerProcess(unittest.TestCase):
    def ports(self, count: int) -> list[str]:
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
        try:
            return [f"127.0.0.1:{s.getsockname()[1]}" for s in sockets]
        finally:
            for s in sockets:
                s.close()

    def common(self, role: str, target: str = "Talk.round") -> list[str]:
        return [
            "run",
            str(TALK),
            target,
            "--generated",
            str(CASES),
            "--role",
            role,
            "--session",
            "test",
            "--deadline",
            "60",
        ]

    def finish(self, processes: "list[subprocess.Popen[str]]") -> list[tuple[int, str, str]]:
        ended = []
        for process in processes:
            out, err = process.communicate(timeout=120)
            ended.append((process.returncode, out, err))
        return ended

    def test_three_processes_that_greet_in_a_circle(self) -> None:
        a, b, c = self.ports(3)
        ended = self.finish(
            [
                start(*self.common("A"), "--at", "A", "box=Box(5)", "--listen", a, "--connect", f"B={b}"),
                start(*self.common("B"), "--at", "B", "bonus=1", "--listen", b, "--connect", f"C={c}"),
                start(*self.common("C"), "--at", "C", "bonus=100", "--listen", c, "--connect", f"A={a}"),
            ]
        )
        self.assertEqual(
            ended,
            [
                (0, "A: (Box(content=111), ELSEWHERE)\n", ""),
                (0, "B: (ELSEWHERE, 2)\n", ""),
                (0, "C: (ELSEWHERE, ELSEWHERE)\n", ""),
            ],
        )

    def test_one_failing_process_fails_the_others(self) -> None:
        a, b = self.ports(2)
        ended = self.finish(
            [
                start(*self.common("A", "Talk.fail"), "--at", "A", "box=Box(5)", "--listen", a),
                start(*self.common("B", "Talk.fail"), "--listen", b, "--connect", f"A={a}"),
                start(*self.common("C", "Talk.fail"), "--connect", f"A={a}", "--connect", f"B={b}"),
            ]
        )
        self.assertEqual([code for code, _, _ in ended], [1, 1, 1])
        self.assertIn("the machine is broken", ended[0][2])
        self.assertIn("ArithmeticError: the machine is broken", ended[1][2])
        self.assertIn("the machine is broken", ended[2][2])

    def test_processes_of_different_sessions_refuse_each_other(self) -> None:
        (a,) = self.ports(1)
        first = start(*self.common("A"), "--at", "A", "box=Box(5)", "--listen", a)
        second = start(
            *self.common("B"),
            "--at",
            "B",
            "bonus=1",
            "--session",
            "other",
            "--listen",
            "127.0.0.1:0",
            "--connect",
            f"A={a}",
        )
        ended = self.finish([second])
        first.kill()
        first.communicate(timeout=60)
        self.assertEqual(ended[0][0], 1)
        self.assertIn("SessionMismatch", ended[0][2])


class Outlines(unittest.TestCase):
    def test_inherited_signatures_are_turned_with_their_roles(self) -> None:
        turned = find_choreography(read_outline(TALK), "Turned")
        channels = {p.name: p.roles for p in turned.methods["__init__"] if p.is_channel}
        self.assertEqual(channels, {"ab": ("C", "A"), "bc": ("A", "B"), "ca": ("B", "C")})

    def test_type_parameters_are_read_by_every_python(self) -> None:
        outline = read_outline(peers.EXAMPLES / "karatsuba.py")
        found = find_choreography(outline, "Karatsuba")
        self.assertEqual(found.roles, ("A", "B", "C"))
        self.assertEqual([(p.name, p.roles) for p in found.methods["multiply"]], [("x", ("A",)), ("y", ("A",))])

    def test_functions_over_roles_are_found(self) -> None:
        outline = read_outline(PORTS / "bookseller_location_polymorphic.py")
        self.assertEqual(outline["quote"].roles, ("Buyer", "Seller"))
        self.assertEqual(outline["quote"].targets, ["quote"])
        # Beside a class, functions are its parts; alone, they are what is run.
        self.assertEqual(find_target(PORTS / "back_and_forth.py"), "back_and_forth")
        with self.assertRaisesRegex(ChoreoError, "Name one of: Bookseller.buy, Bookseller.both"):
            find_target(PORTS / "bookseller_higher_order.py")

    def test_every_example_has_an_outline(self) -> None:
        for path in sorted(peers.EXAMPLES.glob("*.py")):
            with self.subTest(path.name):
                self.assertTrue(read_outline(path))


class Values(unittest.TestCase):
    def test_values(self) -> None:
        class Point:
            def __init__(self, x: int, y: int = 0) -> None:
                self.x, self.y = x, y

        names = {"Point": Point, "N": 4}
        for text, shown in [
            ("-5", "-5"),
            ("'a'", "'a'"),
            ("[1, (2, {3: {4}})]", "[1, (2, {3: {4}})]"),
            ("N", "4"),
            ("(N,)", "(4,)"),
            ("b'x'", "b'x'"),
            ("None", "None"),
        ]:
            self.assertEqual(show(read_value(text, names)), shown)
        self.assertEqual(show(read_value("Point(1, y=N)", names)), "Point(x=1, y=4)")
        for text in ("a b", "unknown", "__import__('os')", "().__class__", "1 + x", "lambda: 1"):
            with self.subTest(text), self.assertRaises(ValueError):
                read_value(text, names)


if __name__ == "__main__":
    unittest.main()
