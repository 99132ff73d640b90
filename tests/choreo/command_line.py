"""`pytrope project` as a person meets it: files written, refusals, exit codes, diagrams, type checkers.

    python tests/choreo/command_line.py

mypy and pyright are looked for on PATH; without them their part is a loud note, and a failure when
PYTROPE_REQUIRE_PEERS=1.  The last line is `N passed, N failed`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

HEAD = """from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class L(Enum):
    YES = 1
    NO = 2


"""

MODERN = """from abc import ABC, abstractmethod
from typing import Protocol

from pytrope.choreo import At, Ch, Channel, Role


class Link[A: Role, B: Role](Protocol):
    def go(self, x: At[int, A]) -> At[int, B]: ...


class Base[A: Role, B: Role](Ch[A, B], ABC):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch
        self.sent: At[int, A] = 0

    @abstractmethod
    def go(self, x: At[int, A]) -> At[int, B]: ...


class Plain[A: Role, B: Role](Base[A, B], Ch[A, B]):
    def go(self, x: At[int, A]) -> At[int, B]:
        self.sent += 1
        return self.ch.com(x)


def use[A: Role, B: Role](link: Link[A, B], x: At[int, A]) -> At[int, B]:
    return link.go(x)
"""

GOOD = (
    HEAD
    + """class Duo(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def go(self, x: At[int, A]) -> At[int, B]:
        if x > 0:
            self.ch.select(L.YES @ A())
            return self.ch.com(x)
        else:
            self.ch.select(L.NO @ A())
            return 0
"""
)


def binary() -> str:
    return os.environ.get("PYTROPE_BIN") or str(ROOT / "target" / "release" / "pytrope")


class Project(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_on(self, text: str, *arguments: str, name: str = "duo.py") -> subprocess.CompletedProcess[str]:
        (self.folder / name).write_text(text)
        return self.run_here("project", name, *arguments)

    def run_here(self, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
        env = dict(os.environ)
        env["MYPYPATH"] = env["PYTHONPATH"] = str(ROOT / "python")
        if path is not None:
            env["PATH"] = path
        return subprocess.run(
            [binary(), *arguments], cwd=self.folder, capture_output=True, text=True, check=False, env=env
        )

    def written(self) -> set[str]:
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}

    def refused(self, text: str, code: str, words: str) -> None:
        done = self.run_on(text, "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(code, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(self.written(), {"duo.py"})

    def test_one_module_per_role(self) -> None:
        done = self.run_on(GOOD, "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.written(), {"duo.py", "out/duo_a.py", "out/duo_b.py"})
        for name in ("duo_a.py", "duo_b.py"):
            compile((self.folder / "out" / name).read_text(), name, "exec")

    def test_one_role_on_standard_output(self) -> None:
        done = self.run_on(GOOD, "--role", "B")
        self.assertIn("class Duo_B:", done.stdout)
        self.assertNotIn("class Duo_A:", done.stdout)
        self.assertEqual(self.run_on(GOOD, "--role", "Z").returncode, 2)

    def test_the_same_bytes_every_time(self) -> None:
        outputs = {self.run_on(GOOD).stdout for _ in range(5)}
        self.assertEqual(len(outputs), 1)

    def test_the_report(self) -> None:
        report = json.loads(self.run_on(GOOD, "--output-format", "json").stdout)
        self.assertEqual(report["version"], 1)
        self.assertEqual(report["roles"], ["A", "B"])
        self.assertEqual([file["path"] for file in report["files"]], ["duo_a.py", "duo_b.py"])
        self.assertEqual(report["diagnostics"], [])

    def test_diagrams(self) -> None:
        drawn = self.run_on(GOOD, "--diagram").stdout
        self.assertTrue(drawn.startswith("sequenceDiagram\n"), drawn)
        for part in ("alt x #gt; 0 (A)", "A-->>B: L.YES", "A->>B: x", "else otherwise", "end"):
            self.assertIn(part, drawn)
        svg = self.run_on(GOOD, "--diagram", "svg").stdout
        self.assertEqual(ElementTree.fromstring(svg).tag, "{http://www.w3.org/2000/svg}svg")

    def test_every_example_is_projected_and_drawn(self) -> None:
        for example in sorted((ROOT / "examples" / "choreo").glob("*.py")):
            with self.subTest(example.name):
                done = self.run_here("project", str(example), "-o", "out")
                self.assertEqual(done.returncode, 0, done.stderr)
                drawn = self.run_here("project", str(example), "--diagram", "svg", "-o", "pictures/")
                self.assertEqual(drawn.returncode, 0, drawn.stderr)
        for module in (self.folder / "out").glob("*.py"):
            compile(module.read_text(), module.name, "exec")
        for picture in (self.folder / "pictures").glob("*.svg"):
            ElementTree.parse(picture)

    def test_not_a_choreography(self) -> None:
        self.refused("class Plain: ...\n", "PT500", "no class of this file is a choreography")

    def test_not_python(self) -> None:
        self.refused("class Duo(:\n", "PT001", "")

    def test_an_unknown_role(self) -> None:
        self.refused(HEAD + "class Duo(Ch2[A, X]): ...\n", "PT503", "X is not a role")

    def test_a_wrong_number_of_roles(self) -> None:
        self.refused(HEAD + "class Duo(Ch2[A]): ...\n", "PT503", "Ch2 takes 2 role(s), found 1")

    def test_a_role_played_twice(self) -> None:
        self.refused(HEAD + "class Duo(Ch2[A, A]): ...\n", "PT503", "must be played once")

    def test_files_that_import_each_other(self) -> None:
        (self.folder / "other.py").write_text("from duo import Duo\n")
        done = self.run_on("from other import Other\n" + GOOD, "-o", "out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("PT514", done.stderr)
        self.assertEqual(self.written(), {"duo.py", "other.py"})

    def test_a_missing_selection(self) -> None:
        damaged = GOOD.replace("            self.ch.select(L.NO @ A())\n", "")
        self.refused(damaged, "PT507", "B cannot know which branch A takes")

    def test_a_missing_file(self) -> None:
        self.assertEqual(self.run_here("project", "nothing.py").returncode, 2)

    def test_another_file_of_the_project(self) -> None:
        main = HEAD.replace("from enum", "from duo import Duo\nfrom enum") + (
            "class Main(Ch2[A, B]):\n"
            "    def __init__(self, ch: Channel[int, A, B]) -> None:\n"
            "        self.duo = Duo[A, B](ch)\n\n"
            "    def go(self, x: At[int, A]) -> At[int, B]:\n"
            "        return self.duo.go(x)\n"
        )
        (self.folder / "duo.py").write_text(GOOD)
        done = self.run_on(main, "-o", "out", name="main.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("out/duo_a.py", self.written())
        self.assertIn("from duo_a import Duo_A", (self.folder / "out" / "main_a.py").read_text())

    def play(self, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`python -m pytrope.choreo run` on a file."""
        (self.folder / "duo.py").write_text(text)
        env = os.environ | {"PYTHONPATH": str(ROOT / "python"), "PYTROPE_BIN": binary()}
        return subprocess.run(
            [sys.executable, "-m", "pytrope.choreo", "run", "duo.py", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            env=env,
        )

    def test_a_failure_that_every_role_handles(self) -> None:
        text = HEAD.replace("Channel, Role", "Channel, ChoreoError, Role") + (
            "class Duo(Ch2[A, B]):\n"
            "    def __init__(self, ch: Channel[int, A, B]) -> None:\n"
            "        self.ch = ch\n\n"
            "    def go(self, x: At[int, A]) -> tuple[At[int, A], At[int, B]]:\n"
            "        a: At[int, A] = 0\n"
            "        b: At[int, B] = 0\n"
            "        try:\n"
            "            b = self.ch.com(100 // x)\n"
            "            a = self.ch.com(b + 1)\n"
            "        except (ZeroDivisionError, ChoreoError):\n"
            "            a = -1\n"
            "            b = -2\n"
            "        return a, b\n"
        )
        for way in ([], ["--tcp"]):
            for x, told in (
                ("5", "A: (21, ELSEWHERE)\nB: (ELSEWHERE, 20)\n"),
                ("0", "A: (-1, ELSEWHERE)\nB: (ELSEWHERE, -2)\n"),
            ):
                with self.subTest(way=way, x=x):
                    done = self.play(text, "Duo.go", "--at", "A", f"x={x}", *way)
                    self.assertEqual((done.returncode, done.stdout), (0, told), done.stderr)

    def test_places_by_name_and_positional_parameters(self) -> None:
        text = HEAD + (
            "Number = At[int, A]\n"
            "Link = Channel[int, A, B]\n\n\n"
            "class Duo(Ch2[A, B]):\n"
            "    def __init__(self, ch: Link, /) -> None:\n"
            "        self.ch = ch\n\n"
            "    def go(self, x: Number, /) -> At[int, B]:\n"
            "        return self.ch.com(x)\n"
        )
        done = self.play(text, "Duo.go", "--at", "A", "x=3")
        self.assertEqual((done.returncode, done.stdout), (0, "A: None\nB: 3\n"), done.stderr)

    def test_parameters_that_every_role_knows(self) -> None:
        text = HEAD + (
            "class Duo(Ch2[A, B]):\n"
            "    def __init__(self, ch: Channel[int, A, B]) -> None:\n"
            "        self.ch = ch\n\n"
            "    def go(self, n: int, x: At[int, A]) -> At[int, B]:\n"
            "        total: At[int, B] = 0\n"
            "        for i in range(n):\n"
            "            total += self.ch.com(x + i)\n"
            "        return total\n"
        )
        done = self.play(text, "Duo.go", "--at", "A", "x=3", "--shared", "n=2")
        self.assertEqual((done.returncode, done.stdout), (0, "A: None\nB: 7\n"), done.stderr)
        done = self.play(text, "Duo.go", "--at", "A", "x=3")
        self.assertEqual((done.returncode, done.stderr), (1, "error: every role needs a value: --shared n=…\n"))

    def test_another_file_by_its_name(self) -> None:
        (self.folder / "other.py").write_text(GOOD)
        text = (
            "import other\n"
            "from pytrope.choreo import At, Ch2, Channel\n\n\n"
            "class Main(Ch2[other.A, other.B]):\n"
            "    def __init__(self, ch: Channel[int, other.A, other.B]) -> None:\n"
            "        self.ch = ch\n"
            "        self.duo = other.Duo[other.A, other.B](ch)\n\n"
            "    def go(self, x: At[int, other.A]) -> At[int, other.B]:\n"
            "        y = self.duo.go(x)\n"
            "        label: At[other.L, other.B] = self.ch.com(other.L.NO @ other.A())\n"
            "        return y + label.value\n"
        )
        done = self.play(text, "Main.go", "--at", "A", "x=3")
        self.assertEqual((done.returncode, done.stdout), (0, "A: None\nB: 5\n"), done.stderr)

    def typecheck(self, checker: str) -> None:
        if shutil.which(checker) is None:
            print(f"MISSING PEER: {checker} is not on PATH", file=sys.stderr)
            if os.environ.get("PYTROPE_REQUIRE_PEERS") == "1":
                self.fail(f"{checker} is required")
            return
        good = self.run_on(GOOD, "--typecheck", checker)
        self.assertEqual(good.returncode, 0, good.stderr)
        bad = self.run_on(GOOD.replace("return 0", 'return "nothing"'), "--typecheck", checker, "-o", "out")
        self.assertEqual(bad.returncode, 1, bad.stdout)
        self.assertIn("PT517", bad.stderr)
        self.assertIn("duo.py:27:", bad.stderr)
        self.assertNotIn("out/duo_a.py", self.written())
        # Role arguments of a class without type parameters are ours too.
        loud = "\n\nclass Loud(Duo[A, B], Ch2[A, B]):\n    other: Duo[B, A]\n"
        subclass = self.run_on(GOOD + loud, "--typecheck", checker)
        self.assertEqual(subclass.returncode, 0, subclass.stderr)
        # Type parameters need Python 3.12, whichever one runs the checker; abstract bases have a metaclass of their own.
        modern = self.run_on(MODERN, "--typecheck", checker)
        self.assertEqual(modern.returncode, 0, modern.stderr)
        # Results of NumPy are of any type: how strict the checker is says the project's configuration.
        for name in ("fedavg.py", "pipeline.py"):
            arrays = self.run_on((ROOT / "examples" / "choreo" / "families" / name).read_text(), "--typecheck", checker)
            self.assertEqual(arrays.returncode, 0, arrays.stderr)
        # Roles are ours: the checkers see nothing wrong here.
        roles = self.run_on(GOOD.replace("return self.ch.com(x)", "return x"), "--typecheck", checker)
        self.assertIn("PT501", roles.stderr)

    def test_mypy(self) -> None:
        self.typecheck("mypy")

    def test_pyright(self) -> None:
        self.typecheck("pyright")

    def test_a_checker_that_is_not_there(self) -> None:
        (self.folder / "duo.py").write_text(GOOD)
        done = self.run_here("project", "duo.py", "--typecheck", "mypy", path="/nonexistent")
        self.assertEqual(done.returncode, 2)
        self.assertIn("mypy cannot be started", done.stderr)


def main() -> int:
    suite = unittest.TestLoader().loadTestsFromTestCase(Project)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
