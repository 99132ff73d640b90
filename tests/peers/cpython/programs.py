"""Random programs: the state CPython ends in is covered by ours, and what we call certain happens.

Programs assign, branch, loop, define and call functions, build and change lists and dictionaries, catch and raise.
Some numbers come from `random`, so conditions on them are open to us; each program runs under several seeds.
A line we report must raise the class we name in every run that reaches it and leave by it.

    python programs.py --binary target/release/pytrope --count 2000 --seed 1
"""

import argparse
import collections
import os
import random
import sys

from covers import covers
from expressions import ask

RUNS = 4
STEPS = 20_000
NAMES = ["a", "b", "c", "d"]
LISTS = ["xs", "ys"]


class Program:
    """A random program, as lines."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.functions = []
        self.depth = 0

    def emit(self, text):
        self.lines.append("    " * self.depth + text)

    def number(self):
        return self.rng.choice([*NAMES, *NAMES, "0", "1", "2", "3", "-1", "len(xs)", "len(ys)", "r", f"xs[{self.rng.randint(-2, 2)}]", "sum(xs)"])

    def arith(self):
        op = self.rng.choice(["+", "-", "*", "//", "%", "+", "-"])
        return f"{self.number()} {op} {self.number()}"

    def condition(self):
        op = self.rng.choice(["<", "<=", "==", "!=", ">", ">="])
        simple = self.rng.choice([f"{self.number()} {op} {self.number()}", f"r {op} {self.rng.randint(0, 3)}", "xs", "not ys", f"{self.rng.choice(NAMES)} in xs", "xs is ys"])
        if self.rng.random() < 0.25:
            return f"{simple} {self.rng.choice(['and', 'or'])} r {op} 1"
        return simple

    def block(self, size):
        self.depth += 1
        for _ in range(self.rng.randint(1, size)):
            self.statement(size - 1)
        self.depth -= 1

    def statement(self, size):
        options = [self.assign, self.assign, self.assign, self.augment, self.lists, self.lists, self.unpack]
        if size > 0 and self.depth < 4:
            options += [self.branch, self.branch, self.loop, self.while_loop, self.attempt, self.call, self.dictionary]
        self.rng.choice(options)(size)

    def assign(self, _):
        name = self.rng.choice(NAMES)
        self.emit(f"{name} = {self.rng.choice([self.arith(), self.number(), f'{self.number()} if {self.condition()} else {self.number()}'])}")

    def augment(self, _):
        self.emit(f"{self.rng.choice(NAMES)} {self.rng.choice(['+=', '-=', '*='])} {self.number()}")

    def unpack(self, _):
        self.emit(self.rng.choice(["a, b = b, a", "c, *ys = (1, 2, 3)", f"a, b = {self.rng.choice(['xs', 'ys', '(1, 2)'])}", "(a, b), c = (1, 2), 3"]))

    def lists(self, _):
        xs = self.rng.choice(LISTS)
        other = self.rng.choice(LISTS)
        self.emit(self.rng.choice([
            f"{xs} = [{self.number()}, {self.number()}]", f"{xs}.append({self.number()})", f"{xs} = {other}", f"{xs} = {xs} + [{self.number()}]",
            f"{xs} = {other}[{self.rng.randint(-1, 2)}:]", f"{xs}[{self.rng.randint(-1, 1)}] = {self.number()}", f"{xs} = [v + 1 for v in {other}]",
            f"{xs}.extend({other}[:2])", f"{xs} = list(range({self.rng.randint(0, 4)}))", f"del {xs}[0]", f"{xs} = {xs} * 2", f"{self.rng.choice(NAMES)} = {xs}.pop()",
        ]))

    def dictionary(self, _):
        self.emit(self.rng.choice([f"e = {{'k': {self.number()}}}", f"e['n'] = {self.number()}", "a = e['k']", "a = e.get('n', 5)", "b = len(e)"]))

    def branch(self, size):
        self.emit(f"if {self.condition()}:")
        self.block(size)
        if self.rng.random() < 0.3:
            self.emit(f"elif {self.condition()}:")
            self.block(size)
        if self.rng.random() < 0.6:
            self.emit("else:")
            self.block(size)

    def loop(self, size):
        over = self.rng.choice([f"range({self.rng.randint(0, 4)})", "range(r)", "list(xs)", "[1, 2]", "enumerate([5, 6])"])
        self.emit(f"for {'i, d' if 'enumerate' in over else 'd'} in {over}:")
        self.block(size)
        if self.rng.random() < 0.3:
            self.depth += 1
            self.emit(f"if {self.condition()}:")
            self.depth += 1
            self.emit(self.rng.choice(["break", "continue"]))
            self.depth -= 2
        if self.rng.random() < 0.2:
            self.emit("else:")
            self.block(1)

    def while_loop(self, size):
        counter = f"n{len(self.lines)}"
        self.emit(f"{counter} = 0")
        self.emit(f"while {counter} < {self.rng.choice(['3', 'r', '12'])}:")
        self.depth += 1
        self.emit(f"{counter} += 1")
        self.depth -= 1
        self.block(size)

    def attempt(self, size):
        self.emit("try:")
        self.block(size)
        self.emit(f"except {self.rng.choice(['ZeroDivisionError', 'IndexError', '(ValueError, KeyError)', 'Exception', 'TypeError'])}{self.rng.choice(['', ' as error'])}:")
        self.block(1)
        if self.rng.random() < 0.3:
            self.emit("else:")
            self.block(1)
        if self.rng.random() < 0.3:
            self.emit("finally:")
            self.block(1)

    def call(self, _):
        if self.functions:
            name, arity = self.rng.choice(self.functions)
            self.emit(f"{self.rng.choice(NAMES)} = {name}({', '.join(self.number() for _ in range(arity))})")
        else:
            self.assign(0)

    def function(self):
        arity = self.rng.randint(1, 2)
        name = f"f{len(self.functions)}"
        self.emit(f"def {name}({', '.join(['p', 'q=1'][:arity])}):")
        self.depth += 1
        second = "q" if arity == 2 else "2"
        body = self.rng.choice([
            [f"return p + {second}"],
            [f"if p > {second}:", "    return p", f"return {second} * 2"],
            ["z = [p]", f"z.append({second})", "return len(z)"],
            [f"xs.append(p)", "return xs[-1]"],
            ["t = 0", "for j in range(3):", f"    t += {second}", "return t"],
            ["global a", f"a = {second}", "return a + 1"],
            [f"def g(w):", f"    return w + {second}", "return g(p)"],
        ])
        for line in body:
            self.emit(line)
        self.depth -= 1
        self.functions.append((name, arity))

    def text(self):
        self.lines = ["import random", "r = random.randint(0, 3)", "a = 1", "b = 2", "c = 3", "d = 0", "xs = [1, 2]", "ys = [3]", "e = {'k': 1}"]
        for _ in range(self.rng.randint(0, 2)):
            self.function()
        for _ in range(self.rng.randint(2, 6)):
            self.statement(3)
        return "\n".join(self.lines) + "\n"


class TooLong(Exception):
    pass


def execute(code, seed, lines):
    """Run a program; give its namespace, the error with its line, and the lines that were reached."""
    reached = collections.Counter()
    left_by_raising = []
    steps = 0

    def trace(frame, event, arg):
        nonlocal steps
        if frame.f_code.co_filename != "<program>":
            return None
        if event == "line":
            steps += 1
            reached[frame.f_lineno] += 1
            names = frame.f_globals
            if steps > STEPS or any(not small(names.get(name, 0)) for name in NAMES + LISTS):
                raise TooLong
        elif event == "exception":
            left_by_raising.append((frame.f_lineno, arg[0].__name__))
        return trace

    names = {"__name__": "program"}
    random.seed(seed)
    failed = None
    sys.settrace(trace)
    try:
        exec(code, names)  # noqa: S102
    except TooLong:
        return None
    except Exception as error:
        failed = error
    finally:
        sys.settrace(None)
    return names, failed, reached, left_by_raising


def small(value):
    if isinstance(value, int):
        return value.bit_length() < 2000
    return not isinstance(value, (list, tuple)) or (len(value) < 60 and all(small(item) for item in value))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="failures to print")
    parser.add_argument("--keep", help="folder to keep failing programs in")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.count} programs, {RUNS} runs each")
    rng = random.Random(options.seed)
    programs, files = {}, {}
    while len(programs) < options.count:
        text = Program(rng).text()
        try:
            code = compile(text, "<program>", "exec")
        except SyntaxError:
            continue
        runs = [execute(code, seed, text) for seed in range(RUNS)]
        if any(run is None for run in runs) or not all(small(v) for run in runs for k, v in run[0].items() if not k.startswith("__")):
            continue
        name = f"p{len(programs):05}.py"
        programs[name] = text, runs
        shown = NAMES + LISTS + ["e"]
        files[name] = text + "".join(f"reveal_type({n})\n" for n in shown)
    notes, errors = collections.defaultdict(dict), collections.defaultdict(dict)
    for finding in ask(os.path.abspath(options.binary), files):
        name = finding["path"].removeprefix("./")
        if finding["severity"] == "note":
            notes[name][finding["line"]] = finding["message"]
        elif finding["severity"] == "error":
            errors[name][finding["line"]] = finding.get("raises")
    failures, tally = [], collections.Counter()
    for name, (text, runs) in programs.items():
        problems = judge(text, runs, notes[name], errors[name], tally)
        if problems:
            failures.append((name, text, problems))
    for name, text, problems in failures[: options.show]:
        print("FAIL", name, *problems, sep="\n    ")
        print(*(f"    {i:3} {line}" for i, line in enumerate(text.splitlines(), 1)), sep="\n")
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        for name, _, problems in failures:
            with open(os.path.join(options.keep, name), "w", encoding="utf-8") as file:
                file.write(files[name] + "".join(f"# {problem}\n" for problem in problems))
    for name, number in sorted(tally.items()):
        print(f"{name}: {number}")
    print(f"{len(programs) - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


def judge(text, runs, notes, errors, tally):
    problems = []
    lines = text.splitlines()
    length = len(lines)
    for line, class_name in errors.items():
        if line > length:
            # A `reveal_type` of ours; only an undefined name could be wrong there.
            problems.append(f"line {line}: error on an added line")
            continue
        tally["errors reported"] += 1
        for seed, (_, _, reached, raising) in enumerate(runs):
            raised = [name for at, name in raising if at == line]
            # Parts of a line may not be reached though the line is.
            partial = any(word in lines[line - 1] for word in (" if ", " and ", " or "))
            if reached[line] and not raised and not partial:
                problems.append(f"line {line}: says {class_name}, run {seed} passes")
            elif raised and class_name not in raised:
                problems.append(f"line {line}: says {class_name}, run {seed} raises {raised[0]}")
    shown = NAMES + LISTS + ["e"]
    for seed, (names, failed, _, _) in enumerate(runs):
        if failed is not None:
            tally["runs that raise"] += 1
            continue
        tally["runs that end"] += 1
        for offset, name in enumerate(shown, 1):
            note = notes.get(length + offset)
            if note is None:
                # We take the end for unreachable; a run got there.
                problems.append(f"{name}: nothing revealed, run {seed} has {names[name]!r}")
                break
            tally["values"] += 1
            tally["values exact"] += note == repr(names[name])
            if not covers(note, names[name]):
                problems.append(f"{name}: says {note}, run {seed} has {names[name]!r}")
    return problems


if __name__ == "__main__":
    main()
