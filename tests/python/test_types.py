"""The surface is plain Python: mypy --strict and pyright (strict) accept it and refuse wrong payloads."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import peers

CASES = sorted((Path(__file__).parent / "typing_cases").glob("*.py"))
PROJECTED = [sorted((peers.ROOT / "tests" / "choreo" / name).glob("*.py")) for name in ("strangers", "ports", "census")]
PACKAGE = peers.ROOT / "python" / "pytrope"
PYTHON = "3.13"  # what the checkers are told to assume: PEP 695 needs 3.12


def marked(paths: list[Path]) -> set[tuple[str, int]]:
    """The lines on which an error must be reported."""
    return {
        (path.name, number)
        for path in paths
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if line.endswith("# error")
    }


def mypy(paths: list[Path], python: str = PYTHON, plugin: bool = False) -> set[tuple[str, int]]:
    peers.tool("mypy")
    with tempfile.TemporaryDirectory() as cache:
        config = Path(cache, "mypy.ini")
        config.write_text("[mypy]\n" + "plugins = pytrope.choreo.mypy_roles\n" * plugin)
        # Examples import nothing of each other; one run each would check the package each time.
        command = [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            f"--python-version={python}",
            f"--cache-dir={cache}",
            "--no-error-summary",
            f"--config-file={config}",
            "--show-error-codes",
            *map(str, paths),
        ]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env={"MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"},
            check=False,
        )
    if done.returncode not in (0, 1):
        raise AssertionError(done.stdout + done.stderr)
    found = re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    report(found)
    return {(Path(path).name, int(line)) for path, line, _ in found}


def pyright(paths: list[Path], mode: str = "strict") -> set[tuple[str, int]]:
    peers.tool("pyright")
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "pyrightconfig.json")
        config.write_text(
            json.dumps(
                {
                    "typeCheckingMode": mode,
                    "pythonVersion": PYTHON,
                    "extraPaths": [str(PACKAGE.parent)],
                    "reportUnusedVariable": False,
                    "reportUnusedExpression": False,
                    "include": [str(p) for p in paths],
                }
            )
        )
        done = subprocess.run(
            # As a module: the script beside this Python names the place where the environment was made.
            [
                sys.executable,
                "-m",
                "pyright",
                "--pythonpath",
                sys.executable,
                "--outputjson",
                "-p",
                str(config),
                *map(str, paths),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
        )
    try:
        told = json.loads(done.stdout[done.stdout.index("{") :])
    except ValueError:
        raise AssertionError(done.stdout + done.stderr) from None
    if told["summary"]["filesAnalyzed"] < len(paths):
        raise AssertionError(f"pyright analysed {told['summary']['filesAnalyzed']} of {len(paths)} files")
    found = [
        (d["file"], d["range"]["start"]["line"] + 1, d["message"])
        for d in told["generalDiagnostics"]
        if d["severity"] == "error"
    ]
    report(found)
    return {(Path(path).name, line) for path, line, _ in found}


def report(found: list[tuple[str, int, str]]) -> None:
    """What a checker said, for the log of a failure."""
    unexpected = {(Path(path).name, int(line)) for path, line, _ in found} - marked(CASES)
    for path, line, message in found:
        if (Path(path).name, int(line)) in unexpected:
            print(f"{path}:{line}: {message}", file=sys.stderr)


class Checkers(unittest.TestCase):
    def test_mypy_refuses_exactly_the_marked_lines(self) -> None:
        bare = [path for path in CASES if path.name != "thesis_bases.py"]
        self.assertEqual(mypy(bare), marked(bare))

    def test_mypy_with_our_plugin_refuses_exactly_the_marked_lines(self) -> None:
        self.assertEqual(mypy(CASES, plugin=True), marked(CASES))

    def test_pyright_refuses_exactly_the_marked_lines(self) -> None:
        self.assertEqual(pyright(CASES), marked(CASES))

    def test_the_thesis_notation_needs_no_new_python(self) -> None:
        old = [path for path in CASES if "pep695" not in path.name]
        self.assertEqual(mypy(old, "3.11", plugin=True), marked(old))

    def test_mypy_accepts_every_example(self) -> None:
        self.assertEqual(mypy(sorted(peers.EXAMPLES.glob("*.py"))), set())

    def test_pyright_accepts_every_example(self) -> None:
        self.assertEqual(pyright(sorted(peers.EXAMPLES.glob("*.py"))), set())

    def test_both_accept_what_is_projected(self) -> None:
        """Programs in many styles, most of them by other languages' examples."""
        for paths in PROJECTED:
            self.assertEqual(mypy(paths, plugin=True), set())
            # An import of a sibling is a matter of pyright's configuration.
            alone = [path for path in paths if "echo_library" not in path.read_text()]
            self.assertEqual(pyright(alone, "standard"), set())

    def test_mypy_accepts_hints_of_sizes(self) -> None:
        """As docs/hints.md says; names in quotes and calls are refused, wherever they are defined."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "sizes.py")
            path.write_text(
                "from pytrope.hints import NdArray\n"
                "def f(x: NdArray[2, 3], y: NdArray[int, 2], z: NdArray[..., 3]) -> NdArray[()]:\n"
                "    return x @ y + z\n"
            )
            self.assertEqual(mypy([path]), set())

    def test_the_package_itself_is_typed(self) -> None:
        sources = sorted(PACKAGE.rglob("*.py"))
        self.assertEqual(mypy(sources, "3.11"), set())
        # The plugin is a part of mypy's process; pyright does not know mypy.
        others = [path for path in sources if path.name != "mypy_roles.py"]
        self.assertEqual(pyright(others, "standard"), set())


if __name__ == "__main__":
    unittest.main()
