"""Our own Python is formatted and linted as `pyproject.toml` says."""

import subprocess
import unittest

import peers

FOLDERS = ["python", "examples/choreo", "tests/python", "tests/bench/ping_pong.py", "tests/bench/round_trips.py"]
FOLDERS += ["tests/choreo/fuzz_frames.py", "tests/wheel", "tests/docs", "tests/browser", "docs/hooks.py"]


class Style(unittest.TestCase):
    def test_ruff_has_nothing_to_say(self) -> None:
        ruff = peers.tool("ruff")
        for command in (["check", "--output-format=concise"], ["format", "--check"]):
            done = subprocess.run(
                [ruff, *command, "--no-cache", *FOLDERS], cwd=peers.ROOT, capture_output=True, text=True, check=False
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
