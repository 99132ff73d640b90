"""`python -m pytrope …` runs the `pytrope` program that came with this package."""

from __future__ import annotations

import os
import subprocess
import sys

from pytrope._program import find_program


def main() -> int:
    """Run the program with this process's arguments and return its exit code."""
    program = find_program()
    if program is None:
        print("error: the `pytrope` program is not installed beside this package, nor on PATH", file=sys.stderr)
        return 2
    command = [program, *sys.argv[1:]]
    if sys.platform == "win32":
        # Windows has no exec that keeps the console's process group.
        return subprocess.run(command, check=False).returncode
    sys.stdout.flush()
    os.execv(program, command)


if __name__ == "__main__":
    sys.exit(main())
