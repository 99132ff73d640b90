"""The Python in docs/choreo-runtime.md runs, and prints what its comments say."""

import contextlib
import io
import re
import sys
import unittest

import peers

PAGE = peers.ROOT / "docs" / "choreo-runtime.md"


class Page(unittest.TestCase):
    def test_every_block_prints_what_it_says(self) -> None:
        sys.path.insert(0, str(peers.EXAMPLES))
        self.addCleanup(sys.path.remove, str(peers.EXAMPLES))
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(blocks), 2)
        for block in blocks:
            wanted = re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block, str(PAGE), "exec"), {"__name__": "page"})  # noqa: S102
            self.assertEqual(printed.getvalue().splitlines(), wanted)

    def test_every_error_is_on_the_page(self) -> None:
        from pytrope.choreo import errors

        text = PAGE.read_text()
        general = {"ChoreoError", "ProtocolError"}
        self.assertEqual([name for name in errors.__all__ if name not in general and f"`{name}`" not in text], [])


if __name__ == "__main__":
    unittest.main()
