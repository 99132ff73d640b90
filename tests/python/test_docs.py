"""The Python and the commands in the pages run, and print what the pages say."""

import contextlib
import io
import os
import re
import shlex
import socket
import subprocess
import sys
import unittest

import gallery
import peers

PAGE = peers.ROOT / "docs" / "choreo-runtime.md"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as made:
        port: int = made.getsockname()[1]
        return port


class Page(unittest.TestCase):
    def test_every_block_prints_what_it_says(self) -> None:
        sys.path.insert(0, str(peers.EXAMPLES))
        self.addCleanup(sys.path.remove, str(peers.EXAMPLES))
        text = PAGE.read_text() + (peers.ROOT / "docs" / "hints.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(blocks), 5)
        for block in blocks:
            wanted = re.findall(r"^ *print\(.*\)  # (.*)$", block, re.MULTILINE)
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
                if output.startswith("$") or not output:
                    continue  # commands that wait for each other, or print a file: see below and test_operations
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
        self.assertEqual(shown, 4)

    def test_the_commands_of_one_role_per_process_do_what_the_page_says(self) -> None:
        """Those that wait for each other are started together; ports of the page are exchanged for free ones."""
        environment = {**os.environ, "PYTHONPATH": str(peers.ROOT / "python"), "PYTROPE_BIN": peers.binary()}
        blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
        alone = ["Ping: (20, ELSEWHERE)", "Pong: (ELSEWHERE, 10)"]
        ran = 0
        for block in blocks:
            commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
            if len(commands) != block.count("\n"):
                continue
            ports = {9000: free_port(), 9001: free_port()}
            processes = []
            for command in commands:
                for named, port in ports.items():
                    command = command.replace(f":{named}", f":{port}")
                words = [sys.executable if word == "python" else word for word in shlex.split(command)]
                if words[0] == "mpiexec":
                    words[0] = peers.tool("mpiexec")
                folder = peers.ROOT if "examples/" in command else peers.EXAMPLES
                processes.append(
                    subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
                )
            printed = "".join(process.communicate(timeout=240)[0] for process in processes)
            self.assertEqual([process.returncode for process in processes], [0] * len(processes))
            if "compose" in commands[0]:
                self.assertIn('"--peers", "Ping=ping:9000,Pong=pong:9000"', printed.replace(str(ports[9000]), "9000"))
            else:
                self.assertEqual(sorted(printed.splitlines()), alone)
            ran += 1
        self.assertEqual(ran, 3)

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
