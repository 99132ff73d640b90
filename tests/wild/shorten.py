"""Reduced programs for refuted findings: the file that still gives the finding with as few statements as possible.

Only findings that need no other file of the project are reduced; the others are listed for reading.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "peers/cpython"))
import shrink  # noqa: E402

SECONDS = 40


def write(pytrope, folder, finding, out):
    try:
        text = (folder / finding["path"]).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    end = time.monotonic() + SECONDS
    wanted = f"{finding['code']} {finding['raises']}: {finding['message']}"

    def fails(candidate):
        if time.monotonic() > end:
            return False
        with tempfile.TemporaryDirectory() as alone:
            path = pathlib.Path(alone) / pathlib.Path(finding["path"]).name
            path.write_text(candidate)
            command = [pytrope, "check", "--isolated", "--exit-zero", "--output-format", "concise", "--quiet", path.name]
            try:
                done = subprocess.run(command, cwd=alone, capture_output=True, text=True, timeout=30)  # noqa: S603
            except subprocess.TimeoutExpired:
                return False
            return wanted in done.stdout

    try:
        smaller = shrink.shrink(text, fails)
    except (SyntaxError, ValueError, RecursionError):
        return
    if smaller is not None:
        name = finding["path"].replace("/", "_").removesuffix(".py")
        (out / f"{name}_{finding['line']}.py").write_text(f"# {finding['path']}:{finding['line']}: {wanted}\n{smaller}")
