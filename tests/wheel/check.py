"""Builds the wheel, installs it into fresh environments of the oldest and newest Python here, and uses what it brought.

`check.py --maturin PROGRAM --folder DIR [--from-sdist] [--zig] [--profile NAME] [--docs-python PYTHON]` prints
`N passed, N failed` last. With `--docs-python`, a Python that can run tests/docs/run.py, the code blocks of the tutorial and the
how-to pages are run with each installed wheel.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OLDEST = (3, 9)
RUNTIME = (3, 11)
Command = list  # of words and paths


def run(command: Command, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)


class Checks:
    """Counts what holds."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def expect(self, name: str, holds: bool, detail: str = "") -> None:
        self.passed += holds
        self.failed += not holds
        print(f"{'ok' if holds else 'FAILED'}: {name}" + ("" if holds else f"\n{detail}"))

    def output(self, name: str, command: Command, wanted: str, *, code: int = 0, **options: object) -> None:
        done = run(command, **options)
        self.expect(name, done.returncode == code and wanted in done.stdout + done.stderr, f"{command}: {done}")


def build(options: argparse.Namespace, checks: Checks) -> Path | None:
    """The wheel, built in the repository or from an unpacked source distribution."""
    source = ROOT
    sdist = run([options.maturin, "sdist", "--out", options.folder], cwd=ROOT)
    archives = list(options.folder.glob("pytrope-*.tar.gz"))
    checks.expect("the source distribution is built", len(archives) == 1, sdist.stdout + sdist.stderr)
    if archives:
        with tarfile.open(archives[0]) as archive:
            names = {name.split("/", 1)[-1] for name in archive.getnames()}
            needed = {"pyproject.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "python/pytrope/__main__.py"}
            needed |= {
                "crates/pytrope_models/python/third_party/numpy/__init__.py",
                "crates/pytrope_diagnostics/rules/PT202.md",
            }
            checks.expect("it has the models, the rules and the licenses", needed <= names, str(sorted(needed - names)))
            if options.from_sdist:
                archive.extractall(options.folder / "source", filter="data")
                source = next((options.folder / "source").iterdir())
                shutil.copytree(ROOT / "pytrope.data", source / "pytrope.data", dirs_exist_ok=True)
    command: Command = [options.maturin, "build", "--profile", options.profile, "--out", options.folder]
    if options.zig:
        command += ["--zig", "--target", "x86_64-unknown-linux-gnu", "--compatibility", "manylinux2014"]
    environment = os.environ | {"CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))}
    built = run(command, cwd=source, env=environment)
    wheels = list(options.folder.glob("pytrope-*.whl"))
    checks.expect("the wheel is built", built.returncode == 0 and len(wheels) == 1, built.stdout + built.stderr)
    return wheels[0] if len(wheels) == 1 else None


def pythons() -> list[tuple[tuple[int, int], str]]:
    """The oldest and the newest CPython from 3.9 on that PATH or pyenv has."""
    found: dict[tuple[int, int], str] = {}
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    for folder in folders:
        for program in sorted(folder.glob("python3.*")):
            if re.fullmatch(r"python3\.\d+", program.name):
                probe = "import sys, venv; print(sys.implementation.name, *sys.version_info[:2])"
                words = run([program, "-c", probe]).stdout.split()
                if len(words) == 3 and words[0] == "cpython" and (version := (int(words[1]), int(words[2]))) >= OLDEST:
                    found.setdefault(version, str(program))
    ordered = sorted(found.items())
    return ordered if len(ordered) < 3 else [ordered[0], ordered[-1]]


def use(wheel: Path, version: tuple[int, int], python: str, folder: Path, checks: Checks) -> None:
    """Installs the wheel into a fresh environment of one Python and uses every part of it."""
    label = ".".join(map(str, version))
    place = folder / f"venv-{label}"
    run([python, "-m", "venv", place])
    inside = place / "bin" / "python"
    install = [inside, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel]
    checks.output(f"Python {label}: pip installs the wheel", install, "Successfully installed pytrope")
    # Nothing of the repository may help: no PYTHONPATH, another folder, an empty PATH.
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTROPE"))}
    where = {"cwd": folder, "env": clean | {"PATH": ""}}
    program = place / "bin" / "pytrope"
    checks.output(f"Python {label}: the program", [program, "--version"], "pytrope ", **where)
    checks.output(f"Python {label}: python -m pytrope", [inside, "-m", "pytrope", "--version"], "pytrope ", **where)
    example = ROOT / "examples" / "attention.py"
    checks.output(
        f"Python {label}: python -m pytrope passes arguments and the exit code on",
        [inside, "-m", "pytrope", "check", "--output-format", "concise", example],
        "PT202",
        code=1,
        **where,
    )
    hints = [inside, "-c", "from pytrope.hints import NdArray; print(NdArray[2, 'n'])"]
    checks.output(f"Python {label}: the hints", hints, "NdArray[2, 'n']\n", **where)
    if version >= RUNTIME:
        greeting = ROOT / "examples" / "choreo" / "hello_roles.py"
        target = ["HelloRoles.greet", "--at", "Alice", "name='Ada'"]
        checks.output(
            f"Python {label}: the runtime finds the program that came with it",
            [inside, "-m", "pytrope.choreo", "run", greeting, *target],
            "Bob: (ELSEWHERE, 'hello Ada, this is Bob')\n",
            **where,
        )
    else:
        refused = [inside, "-c", "import pytrope.choreo"]
        checks.output(f"Python {label}: the runtime says what it needs", refused, "needs Python 3.11", code=1, **where)
        plugin = [inside, "-c", "import pytrope.pytest_plugin; print('loaded')"]
        checks.output(f"Python {label}: pytest's plugin does no harm", plugin, "loaded", **where)
    text = next(place.glob("lib/python*/site-packages/pytrope-*.dist-info/METADATA")).read_text(encoding="utf-8")
    relative = [link for link in re.findall(r"\]\(([^)\s]*)", text) if "://" not in link]
    checks.expect(
        f"Python {label}: the description is there and has no relative link",
        "# Pytrope" in text and not relative,
        str(relative),
    )
    files = ["share/man/man1/pytrope.1", "share/man/man1/pytrope-check.1", "share/bash-completion/completions/pytrope"]
    files += [f"lib/python{label}/site-packages/pytrope/py.typed"]
    missing = [file for file in files if not (place / file).is_file()]
    checks.expect(f"Python {label}: man pages, completions and the typing marker", not missing, str(missing))


def follow_pages(docs_python: str, version: tuple[int, int], folder: Path, checks: Checks) -> None:
    """Does what the tutorial and the how-to pages say, with the wheel that `use` has installed."""
    label = ".".join(map(str, version))
    pages = [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]
    if version < RUNTIME:
        pages = [page for page in pages if page.name != "choreography.md"]
    program = folder / f"venv-{label}" / "bin" / "pytrope"
    done = run([docs_python, ROOT / "tests" / "docs" / "run.py", "--installed", program, *pages], cwd=folder)
    checks.expect(f"Python {label}: the tutorial and the how-to pages", done.returncode == 0, done.stdout + done.stderr)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--maturin", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--from-sdist", action="store_true")
    parser.add_argument("--zig", action="store_true")
    parser.add_argument("--profile", default="release")
    parser.add_argument("--docs-python")
    parser.add_argument("--wheel", type=Path, help="use this wheel and build nothing")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    checks = Checks()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    wheel = options.wheel or build(options, checks)
    if wheel is not None:
        print(f"wheel: {wheel.name}")
        tag = re.search(r"manylinux_2_(\d+)_x86_64|manylinux2014_x86_64", wheel.name)
        checks.expect("the wheel names the oldest C library it runs on", tag is not None, wheel.name)
        found = pythons()
        print("Pythons:", ", ".join(f"{major}.{minor} ({path})" for (major, minor), path in found))
        for version, python in found:
            use(wheel, version, python, options.folder, checks)
            if options.docs_python:
                follow_pages(options.docs_python, version, options.folder, checks)
        tools = Path(options.maturin).parent
        uvx = [tools / "uv", "tool", "run", "--offline", "--no-config", "--python", sys.executable, "--from", wheel]
        checks.output("uvx runs the program", [*uvx, "pytrope", "--version"], "pytrope ", cwd=options.folder)
        home = os.environ | {"PIPX_HOME": str(options.folder / "pipx"), "PIPX_BIN_DIR": str(options.folder / "bin")}
        home |= {"PIPX_MAN_DIR": str(options.folder / "man")}
        pipx = [tools / "pipx", "install", "--python", sys.executable, wheel]
        checks.output("pipx installs it", pipx, "pytrope", cwd=options.folder, env=home)
        linked = [options.folder / "bin" / "pytrope", "--version"]
        checks.output("pipx links the program", linked, "pytrope ", cwd=options.folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
