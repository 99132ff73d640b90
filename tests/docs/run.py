"""Runs every code block of README.md and docs/: `run.py PYTROPE [--update] [--installed] [PAGE…]`.

What a block means depends on its language:

- a block with `title="NAME"` is written to NAME in the page's scratch folder;
- `console`: each line `$ COMMAND` is run by bash, in the scratch folder if the page writes files, else in the
  repository; what it prints (standard output, then standard error) must be what the page shows (`--update` writes it);
- `python`: must compile; one after a line `<!-- run -->` is run and must end with exit code 0;
- `sh`: must be accepted by `bash -n`, and every option of `pytrope` in it must exist;
- `toml`: must be accepted as configuration where it is Pytrope's own; `yaml`, `json`: must parse;
- `text`, `vim`, `lua`: are not programs that can be run here, nor is a block after `<!-- not run: REASON -->`.

Any other language is an error, so that no block is forgotten. With `--installed`, PYTROPE is the program of an environment
that the wheel was installed into, and the blocks see that environment and the system, nothing of this repository. Prints
`N passed, N failed` last.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
# Pages whose console blocks another step runs: roles that wait for each other, numbers shown with fewer digits.
RUN_ELSEWHERE = {
    "docs/choreo-runtime.md": "cargo xtask test --only python",
    "docs/choreographies.md": "cargo xtask test --only python",
}
# What a shell answers for a program that it does not find.
NOT_FOUND = 127
NOT_RUN = {"text", "vim", "lua", "mermaid", "", "smt2", "diff", "dockerfile"}


@dataclass
class Block:
    """A fenced block: its language, title, whether it is marked to be run, and its lines in the page."""

    language: str
    title: str | None
    marked: bool
    start: int
    end: int
    indent: str
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def blocks_of(page: list[str]) -> list[Block]:
    """The fenced blocks of a page, by its lines."""
    found = []
    at = 0
    while at < len(page):
        fence = re.match(r"(\s*)```(\S*)\s*(.*)$", page[at])
        if not fence:
            at += 1
            continue
        end = at + 1
        while page[end].strip() != "```":
            end += 1
        title = re.search(r'title="([^"]+)"', fence[3])
        marked = at > 0 and page[at - 1].strip() == "<!-- run -->"
        elsewhere = at > 0 and page[at - 1].strip().startswith("<!-- not run:")
        indent = fence[1]
        lines = [line.removeprefix(indent) for line in page[at + 1 : end]]
        language = "text" if elsewhere else fence[2]
        found.append(Block(language, title[1] if title else None, marked, at + 1, end, indent, lines))
        at = end + 1
    return found


class Runner:
    """Runs the blocks of one page after another and counts."""

    def __init__(self, program: Path, *, update: bool, installed: bool) -> None:
        self.program = program
        self.update = update
        self.interpreter = str(program.with_name("python")) if installed else sys.executable
        self.passed = 0
        self.failures: list[str] = []
        # Pages call it `pytrope`, whatever the file is called.
        self.programs = tempfile.TemporaryDirectory()
        (Path(self.programs.name) / "pytrope").symlink_to(program)
        folders = [str(Path(self.interpreter).parent), os.defpath if installed else os.environ["PATH"]]
        if not installed:
            folders.insert(0, self.programs.name)
        own = ("PYTHON", "PYTROPE") if installed else ()
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(own)} | {
            "PATH": os.pathsep.join(folders),
            "NO_COLOR": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "100",
            "LC_ALL": "C.UTF-8",
        }
        if not installed:
            self.environment |= {"PYTHONPATH": str(ROOT / "python"), "PYTROPE_BIN": str(program)}
        self.options: dict[str, str] = {}

    def page(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").split("\n")
        blocks = blocks_of(lines)
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run(["git", "init", "-q", scratch], check=True)
            folder = Path(scratch) if any(block.title for block in blocks) else ROOT
            if folder != ROOT and any("examples/" in block.text for block in blocks if block.language == "console"):
                (folder / "examples").symlink_to(ROOT / "examples")
            replaced: list[tuple[Block, list[str]]] = []
            if str(path.relative_to(ROOT)) in RUN_ELSEWHERE:
                blocks = [block for block in blocks if block.language != "console"]
            for block in blocks:
                where = f"{path.relative_to(ROOT)}:{block.start}"
                problem = self.block(block, folder, replaced)
                if problem:
                    self.failures.append(f"{where}: {problem}")
                else:
                    self.passed += 1
        if self.update and replaced:
            for block, new in reversed(replaced):
                lines[block.start : block.end] = [block.indent + line if line else line for line in new]
            path.write_text("\n".join(lines), encoding="utf-8")

    def block(self, block: Block, folder: Path, replaced: list[tuple[Block, list[str]]]) -> str | None:
        if block.title:
            target = folder / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        match block.language:
            case "console":
                return self.console(block, folder, replaced)
            case "python":
                return self.python(block, folder)
            case "sh":
                return self.shell(block)
            case "toml":
                return self.toml(block)
            case "yaml":
                return _parses(yaml.safe_load, block.text)
            case "json":
                return _parses(json.loads, block.text)
            case language if language in NOT_RUN:
                return None
            case other:
                return f"blocks of language `{other}` are not run by anything"

    def console(self, block: Block, folder: Path, replaced: list[tuple[Block, list[str]]]) -> str | None:
        if not block.lines or not block.lines[0].startswith("$ "):
            return "a console block starts with `$ COMMAND`"
        printed: list[str] = []
        for command in _commands(block.lines):
            done = subprocess.run(
                ["bash", "-c", "\n".join(command)[2:]],
                cwd=folder,
                env=self.environment,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode == NOT_FOUND:
                return f"the command cannot be started: {done.stderr.strip()}"
            output = (done.stdout + done.stderr).rstrip("\n")
            printed += [*command, *(output.split("\n") if output else [])]
        printed = [line.replace(str(folder), ".") if folder != ROOT else line for line in printed]
        missing = next((line for line in printed if "No such file or directory" in line), None)
        if missing:
            return f"the command reads a file that the page does not write: {missing}"
        if printed == block.lines:
            return None
        if self.update:
            replaced.append((block, printed))
            return None
        pairs = zip([*block.lines, None, None], [*printed, None, None], strict=False)
        first = next((pair for pair in pairs if pair[0] != pair[1]), None)
        return f"the page and the program differ (--update writes it): {first}"

    def python(self, block: Block, folder: Path) -> str | None:
        try:
            compile(block.text, block.title or "<block>", "exec")
        except SyntaxError as error:
            return f"line {error.lineno}: {error.msg}"
        if not block.marked:
            return None
        done = subprocess.run(
            [self.interpreter, "-"],
            input=block.text,
            cwd=folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return None if done.returncode == 0 else done.stderr

    def shell(self, block: Block) -> str | None:
        text = "\n".join(line.removeprefix("$ ") for line in block.lines) + "\n"
        checked = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
        if checked.returncode != 0:
            return checked.stderr
        for line in text.replace("\\\n", " ").splitlines():
            command = re.search(r"(?:^|[\s/])pytrope\s+([a-z]+)\s*(.*)", line.split("#")[0])
            if not command or command[1] not in self.commands():
                continue
            for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", command[2]):
                if option not in self.help(command[1]):
                    return f"`pytrope {command[1]}` has no option {option}"
        return None

    def commands(self) -> list[str]:
        return re.findall(r"^  ([a-z]+) ", self.help(""), re.MULTILINE)

    def help(self, command: str) -> str:
        if command not in self.options:
            words = [str(self.program), *([command] if command else []), "--help"]
            self.options[command] = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return self.options[command]

    def toml(self, block: Block) -> str | None:
        problem = _parses(tomllib.loads, block.text)
        table = {} if problem else tomllib.loads(block.text)
        own = "pytrope" in table.get("tool", {})
        if problem or not (own or block.title == "pytrope.toml" or block.text.startswith("# pytrope.toml")):
            return problem
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / ("pyproject.toml" if own else "pytrope.toml")
            file.write_text(block.text, encoding="utf-8")
            # Paths in a sample need not exist; what is asked is whether every key and value is accepted.
            command = [str(self.program), "check", "--config", str(file), "-"]
            done = subprocess.run(command, input="", capture_output=True, text=True, check=False, cwd=scratch)
        accepted = done.returncode == 0 or re.search(r"--python: |cannot read the baseline", done.stderr)
        return None if accepted else done.stderr


def _commands(lines: list[str]) -> list[list[str]]:
    """The commands of a console block, each with the lines that continue it."""
    commands: list[list[str]] = []
    continued = False
    for line in lines:
        if line.startswith("$ "):
            commands.append([line])
        elif continued:
            commands[-1].append(line)
        continued = line.endswith("\\") and (continued or line.startswith("$ "))
    return commands


def _parses(parse: object, text: str) -> str | None:
    try:
        parse(text)  # type: ignore[operator]
    except ValueError as error:
        return str(error)
    except yaml.YAMLError as error:
        return str(error)
    return None


def main(arguments: list[str]) -> int:
    program, *pages = [argument for argument in arguments if argument not in ("--update", "--installed")]
    installed = "--installed" in arguments
    path = Path(program).absolute() if installed else Path(program).resolve()
    runner = Runner(path, update="--update" in arguments, installed=installed)
    named = [Path(page).resolve() for page in pages]
    for path in named or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        runner.page(path)
    for failure in runner.failures:
        print(f"FAILED {failure}")
    print(f"{runner.passed} passed, {len(runner.failures)} failed")
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
