"""The Python and the commands in the pages run, and print what the pages say."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import unittest

import gallery
import peers

PAGE = peers.ROOT / "docs" / "choreo-runtime.md"


class Page(unittest.TestCase):
    def test_every_block_prints_what_it_says(self) -> None:
        sys.path.insert(0, str(peers.EXAMPLES))
        self.addCleanup(sys.path.remove, str(peers.EXAMPLES))
        text = PAGE.read_text() + (peers.ROOT / "docs" / "hints.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(blocks), 3)
        for block in blocks:
            wanted = re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block, str(PAGE), "exec"), {"__name__": "page"})  # noqa: S102
            self.assertEqual(printed.getvalue().splitlines(), wanted)

    def test_every_command_that_shows_its_output_gives_it(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(peers.ROOT / "python"), "PYTROPE_BIN": peers.binary()}
        shown = 0
        for page in (PAGE, peers.EXAMPLES / "README.md"):
            for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
                command, _, output = block.partition("\n")
                if output.startswith("$"):
                    continue  # commands that wait for each other; test_examples runs such
                words = shlex.split(command.removeprefix("$ python "))
                done = subprocess.run(
                    [sys.executable, *words],
                    cwd=peers.ROOT,
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                self.assertEqual((done.stdout, done.stderr), (output, ""))
                shown += 1
        self.assertEqual(shown, 2)

    def test_the_gallery_is_current(self) -> None:
        os.environ["PYTROPE_BIN"] = peers.binary()
        self.assertEqual(set(gallery.CLASSICS + gallery.LEARNING), {path.name for path in peers.EXAMPLES.glob("*.py")})
        self.assertEqual(gallery.PAGE.read_text(), gallery.page(), "run `python tests/python/gallery.py`")

    def test_every_error_is_on_the_page(self) -> None:
        from pytrope.choreo import errors

        text = PAGE.read_text()
        general = {"ChoreoError", "ProtocolError"}
        self.assertEqual([name for name in errors.__all__ if name not in general and f"`{name}`" not in text], [])


if __name__ == "__main__":
    unittest.main()
