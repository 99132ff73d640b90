"""Does what the tutorial and the how-to pages say on a machine that has nothing but Debian, Python and the wheel.

`fresh_machine.py --wheel FILE --folder DIR [--suite NAME]` makes a Debian system in DIR with `mmdebstrap` (as root), installs
the wheel there as an ordinary user would, and runs every code block of those pages inside. Prints `N passed, N failed` last; exits
with 3, and the reason in the last line, where such a system cannot be made.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Debian's testing release: its Python is newer than any other that the tests use.
SUITE = "forky"
# What the pages do not need, but the script that runs their blocks does: a YAML reader and git.
PACKAGES = "python3,python3-venv,python3-yaml,git"
USER = "1000:1000"
CANNOT_BE_MADE = 3


def make_system(folder: Path, suite: str) -> str | None:
    """Makes the system; the reason if that is not possible."""
    if os.geteuid() != 0 or shutil.which("mmdebstrap") is None:
        return "a fresh Debian needs root and the package `mmdebstrap`"
    # A mirror may lag behind; signatures are checked all the same.
    late = 'Acquire::Check-Valid-Until "false"'
    command = ["mmdebstrap", "--variant=minbase", f"--include={PACKAGES}", f"--aptopt={late}", suite, str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in made.stderr.splitlines() if line.startswith("E: ")] or ["no message"]
    return None if made.returncode == 0 else f"mmdebstrap {suite}: {errors[0]}"


def run_inside(folder: Path, *words: str) -> int:
    """Runs a command in the system as its user, and shows what it prints."""
    environment = {"HOME": "/home/user", "PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    command = ["/usr/sbin/chroot", f"--userspec={USER}", str(folder), *words]
    return subprocess.run(command, env=environment, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--suite", default=SUITE)
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    if reason := make_system(folder, options.suite):
        print(reason)
        return CANNOT_BE_MADE
    home = folder / "home" / "user"
    pages = home / "pages"
    shutil.copytree(ROOT / "docs", pages / "docs")
    (pages / "tests" / "docs").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "docs" / "run.py", pages / "tests" / "docs")
    shutil.copy(options.wheel, home)
    user, group = map(int, USER.split(":"))
    for place in [home, *home.rglob("*")]:
        os.chown(place, user, group)
    python, program = "/home/user/venv/bin/python", "/home/user/venv/bin/pytrope"
    steps = [
        ["python3", "--version"],
        ["python3", "-m", "venv", "/home/user/venv"],
        [python, "-m", "pip", "install", "--quiet", "--no-index", f"/home/user/{options.wheel.name}"],
    ]
    for step in steps:
        if run_inside(folder, *step) != 0:
            print(f"{' '.join(step)} does not work\n0 passed, 1 failed")
            return 1
    how_to = sorted(path.relative_to(pages).as_posix() for path in (pages / "docs" / "how-to").glob("*.md"))
    names = [f"/home/user/pages/{name}" for name in ["docs/tutorial.md", *how_to]]
    code = run_inside(folder, "python3", "/home/user/pages/tests/docs/run.py", "--installed", program, *names)
    shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
