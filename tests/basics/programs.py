"""Small programs with one mistake each, and the same programs without it.

A page (`*.txt`) holds programs, each behind a line `## title | place`. Lines that begin with `- ` stand in the program with the mistake
alone, those that begin with `+ ` in the correct one; in all others the rest of the line is as it stands. The place is `module`; `function`
for lines that are put into a function that nothing calls; or `call: f(1)` for a program whose functions nothing calls, where this
expression is what CPython evaluates to see the mistake.
"""

from pathlib import Path

HERE = Path(__file__).resolve().parent


class Program:
    def __init__(self, title, place, lines):
        self.title = title
        self.in_function = place == "function"
        self.call = place.removeprefix("call: ") if place.startswith("call: ") else "work()" if self.in_function else None
        self.lines = lines

    def text_of(self, mark):
        """The program with the lines of one mark: `-` for the mistaken one, `+` for the correct one."""
        kept = [line[2:] if line[:2] in ("- ", "+ ") else line for line in self.lines if not line.startswith(other(mark))]
        if self.in_function:
            kept = ["def work():", *(f"    {line}" for line in kept)]
        return "\n".join(kept) + "\n"


def other(mark):
    return "+ " if mark == "-" else "- "


def programs_of(page):
    for block in (HERE / page).read_text(encoding="utf-8").split("## ")[1:]:
        heading, *lines = block.rstrip("\n").split("\n")
        title, place = heading.split(" | ")
        yield Program(title, place, lines)


def pages():
    return sorted(path.name for path in HERE.glob("*.txt"))
