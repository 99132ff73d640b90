"""Builds the wheel, installs it where nothing else is, and uses what it brought: `check.py MATURIN FOLDER`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)


def main(maturin: str, folder: str) -> int:
    target = Path(folder)
    shutil.rmtree(target, ignore_errors=True)
    built = run([maturin, "build", "--release", "--out", target], cwd=ROOT)
    wheels = list(target.glob("pytrope-*.whl"))
    if built.returncode != 0 or len(wheels) != 1:
        print(built.stdout + built.stderr)
        print("0 passed, 1 failed")
        return 1
    venv.create(target / "venv", with_pip=True)
    python = target / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheels[0]])
    example = ROOT / "examples" / "choreo" / "hello_roles.py"
    # Nothing of the repository may help: no PYTHONPATH, another folder, an empty PATH.
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTROPE"))}
    clean["PATH"] = ""
    greeting = [python, "-m", "pytrope.choreo", "run", example, "HelloRoles.greet", "--at", "Alice", "name='Ada'"]
    checks: list[tuple[str, list[str | Path], str]] = [
        ("the program", [target / "venv" / "bin" / "pytrope", "--version"], "pytrope "),
        ("the hints", [python, "-c", "from pytrope.hints import NdArray; print(NdArray[2, 'n'])"], "NdArray[2, 'n']\n"),
        (
            "the runtime finds the program that came with it",
            greeting,
            "Alice: ('Ada says hello', ELSEWHERE)\nBob: (ELSEWHERE, 'hello Ada, this is Bob')\n",
        ),
    ]
    failed = 0
    for name, command, wanted in checks:
        done = run(command, cwd=target, env=clean)
        good = done.returncode == 0 and done.stdout.startswith(wanted)
        failed += not good
        print(f"{'ok' if good else 'FAILED'}: {name}" + ("" if good else f"\n{done.stdout}{done.stderr}"))
    typed = run(
        [python, "-c", "import pytrope, pathlib; print(pathlib.Path(pytrope.__file__).with_name('py.typed').exists())"]
    )
    failed += typed.stdout != "True\n"
    print(f"{len(checks) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
