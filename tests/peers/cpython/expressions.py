"""Random constant expressions: Pytrope's value or exception against CPython's.

Each expression is evaluated by CPython here and by the binary through `reveal_type`. The binary may know
less than CPython; it may never say something else, report what does not raise, or name another exception.

    python expressions.py --binary target/release/pytrope --count 20000 --seed 1
"""

import argparse
import ast
import collections
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import warnings

from covers import covers, exact

warnings.simplefilter("ignore")

INTS = ["0", "1", "2", "3", "7", "-1", "-5", "10", "255", "2**70", "-(2**65)"]
FLOATS = ["0.0", "1.0", "0.1", "2.5", "-1.5", "1e16", "1e-7", "3.0", "1e308", "float('inf')"]
STRS = ["''", "'a'", "'abc'", "' x y '", "'Hello, World'", "'1.5'", "'42'", "'é'", "'a,b,,c'", "'%d-%s'", "'{}-{:>5}'"]
OTHER = ["None", "True", "False"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"]
COMPARE = ["==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"]


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, *options):
        return self.rng.choice(options)

    def atom(self):
        return self.rng.choice(self.rng.choice([INTS, INTS, FLOATS, STRS, OTHER]))

    def small(self):
        return str(self.rng.randint(-4, 6))

    def expr(self, depth):
        if depth <= 0:
            return self.atom()
        make = self.rng.choice([
            self.arith, self.arith, self.arith, self.comparison, self.logic, self.container, self.subscript, self.call,
            self.method, self.method, self.conditional, self.comprehension, self.unary, self.text, self.starred,
        ])
        return make(depth - 1)

    def arith(self, d):
        op = self.rng.choice(BINARY)
        # CPython would try to compute a huge power or shift.
        right = self.small() if op in ("**", "<<") else self.expr(d)
        left = self.small() if op == "**" else self.expr(d)
        return f"({left}) {op} ({right})"

    def comparison(self, d):
        op = self.rng.choice(COMPARE)
        if op in ("is", "is not"):
            return f"({self.expr(d)}) {op} {self.pick('None', 'True')}"
        tail = f" {self.rng.choice(['<', '==', '>='])} ({self.expr(d)})" if self.rng.random() < 0.2 else ""
        return f"({self.expr(d)}) {op} ({self.expr(d)}){tail}"

    def logic(self, d):
        return f"({self.expr(d)}) {self.pick('and', 'or')} ({self.expr(d)})"

    def unary(self, d):
        return f"{self.pick('-', '+', '~', 'not ')}({self.expr(d)})"

    def conditional(self, d):
        return f"({self.expr(d)}) if ({self.expr(d)}) else ({self.expr(d)})"

    def items(self, d):
        return [self.expr(d - 1) for _ in range(self.rng.randint(0, 3))]

    def container(self, d):
        items = self.items(d)
        kind = self.rng.randint(0, 3)
        if kind == 0:
            return f"[{', '.join(items)}]"
        if kind == 1:
            return f"({', '.join(items)}{',' if items else ''})"
        if kind == 2:
            return "{" + ", ".join(f"{self.rng.choice(INTS + STRS)}: {item}" for item in items) + "}"
        return f"{{{', '.join(items)}}}" if items else "set()"

    def sequence(self, d):
        return self.pick(f"[{', '.join(self.items(d))}]", f"({', '.join([*self.items(d), '1'])},)", self.rng.choice(STRS), f"range({self.small()}, {self.small()})", f"list(range({self.small()}))")

    def index(self):
        if self.rng.random() < 0.5:
            return self.small()
        part = lambda: self.pick("", self.small())  # noqa: E731
        step = self.pick("", ":1", ":2", ":-1", ":-2")
        return f"{part()}:{part()}{step}"

    def subscript(self, d):
        if self.rng.random() < 0.3:
            return f"({self.container(d)})[{self.expr(d - 1)}]"
        return f"({self.sequence(d)})[{self.index()}]"

    def comprehension(self, d):
        body = self.pick("v", "v * 2", "(v, v)", "str(v)", "v + 1", "v % 2")
        test = self.pick("", "", " if v", " if v != 2")
        return self.pick(f"[{body} for v in {self.sequence(d)}{test}]", f"{{v: 1 for v in {self.sequence(d)}{test}}}", f"sum(v for v in {self.sequence(d)}{test})", f"sorted({body} for v in range({self.small()}))")

    def starred(self, d):
        return self.pick(f"[*{self.sequence(d)}, 1]", f"(*{self.sequence(d)},)", f"max(*{self.sequence(d)}, 0)", f"{{**{{'a': 1}}, 'b': {self.expr(d - 1)}}}")

    def text(self, d):
        spec = self.pick("", ":>8", ":<5", ":^7", ":05d", ":.2f", ":,", ":x", ":e", ":g", "!r", "!s:>6", ":+d")
        return self.pick(f"'{{{spec}}}'.format({self.atom()})", f"'%s' % ({self.expr(d)},)", f"'%d|%5.1f' % ({self.atom()}, {self.atom()})", f"format({self.atom()}, {spec.lstrip('!rs').lstrip(':')!r})")

    def call(self, d):
        one = ["len", "abs", "int", "float", "str", "bool", "repr", "list", "tuple", "sum", "sorted", "min", "max", "any", "all", "round", "set", "dict", "ord", "chr", "bin", "hex", "oct", "ascii", "callable"]
        name = self.rng.choice(one)
        choice = self.rng.random()
        if choice < 0.6:
            return f"{name}({self.expr(d)})"
        return self.pick(
            f"round({self.rng.choice(FLOATS)}, {self.small()})", f"int({self.rng.choice(STRS)})", f"float({self.rng.choice(STRS)})",
            f"divmod({self.atom()}, {self.atom()})", f"pow({self.small()}, {self.small()})", f"min({self.expr(d)}, {self.expr(d)})",
            f"max({self.sequence(d)})", f"sum({self.sequence(d)})", f"list(zip({self.sequence(d)}, {self.sequence(d)}))",
            f"list(enumerate({self.sequence(d)}))", f"list(reversed({self.sequence(d)}))", f"sorted({self.sequence(d)}, reverse=True)",
            f"isinstance({self.expr(d)}, {self.pick('int', 'str', '(int, float)', 'bool')})", f"list(map(str, {self.sequence(d)}))",
            f"tuple(filter(None, {self.sequence(d)}))", f"dict([({self.atom()}, 1)])", f"(lambda p, q=2: p)({self.expr(d)})",
            f"len({self.sequence(d)})", f"int({self.rng.choice(FLOATS)})", f"range({self.small()}, {self.small()}, {self.small()})",
        )

    def method(self, d):
        text = self.rng.choice(STRS)
        other = self.rng.choice(STRS)
        choice = self.rng.random()
        if choice < 0.65:
            name = self.pick(
                "upper()", "lower()", "strip()", "title()", "capitalize()", "swapcase()", "split()", "isdigit()", "isalpha()", "isupper()", "splitlines()",
                f"split({other})", f"rsplit({other}, 1)", f"find({other})", f"index({other})", f"count({other})", f"replace({other}, 'z')", f"startswith({other})",
                f"endswith({other})", f"join({self.sequence(d)})", f"center({self.small()}, '*')", f"zfill({self.small()})", f"partition({other})", f"ljust(6)", f"rjust(6)",
                f"strip({other})", "encode()", f"removeprefix({other})", f"format({self.atom()}, {self.atom()})", f"rfind({other}, 0, {self.small()})",
            )
            return f"{text}.{name}"
        if choice < 0.8:
            return f"[{', '.join(self.items(d))}].{self.pick('copy()', f'count({self.atom()})', f'index({self.atom()})', 'pop()', f'pop({self.small()})', 'reverse()', 'sort()')}"
        if choice < 0.9:
            return f"{{'a': 1, 2: 'b'}}.{self.pick('get(2)', 'get(3)', f'get(5, {self.atom()})', 'copy()', f'pop({self.atom()})', f'pop({self.atom()}, 0)', 'setdefault(7, 1)')}"
        if choice < 0.95:
            return f"({self.rng.choice(FLOATS)}).{self.pick('is_integer()', 'hex()', 'real', 'imag', 'conjugate()')}"
        return f"({self.rng.choice(INTS)}).{self.pick('bit_length()', 'real', 'conjugate()', 'bit_count()', 'numerator', 'nothing')}"


def evaluate(text):
    """CPython's value, or the exception it raises."""
    try:
        value = eval(text, {})  # noqa: S307
    except Exception as error:
        return None, error
    return value, None


def raises_if_reached(part, name):
    """Whether a part of an expression raises the class by itself, or one of its operands raises before it."""
    if type(evaluate(part)[1]).__name__ == name:
        return True
    tree = ast.parse(part, mode="eval").body
    if isinstance(tree, ast.Compare) and len(tree.ops) > 1:
        # A chain ends at its first false comparison; each pair is a comparison of its own.
        values = [tree.left, *tree.comparators]
        pairs = [ast.Compare(a, [op], [b]) for a, op, b in zip(values, tree.ops, values[1:])]
        return any(raises_if_reached(ast.unparse(pair), name) for pair in pairs)
    operands = [node for node in ast.iter_child_nodes(tree) if isinstance(node, ast.expr)]
    return any(evaluate(ast.unparse(node))[1] is not None for node in operands)


def too_large(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return value.bit_length() > 5000
    if isinstance(value, (str, bytes, list, tuple, dict, set)):
        return len(value) > 200
    return False


def make_cases(count, rng):
    # What CPython would need gigabytes for is a MemoryError, and left out.
    limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, limit[1]))
    try:
        return list(cases(count, Maker(rng), rng))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)


def cases(count, maker, rng):
    made = 0
    while made < count:
        text = maker.expr(rng.randint(1, 4))
        try:
            compile(text, "<e>", "eval")
        except (SyntaxError, ValueError):
            continue
        value, error = evaluate(text)
        if too_large(value) or isinstance(error, (MemoryError, RecursionError)):
            continue
        made += 1
        yield text, value, error


def ask(binary, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([binary, "check", "--output-format", "json", "."], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{binary} failed with {done.returncode}: {done.stderr[-2000:]}")
        return json.loads(done.stdout)["diagnostics"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="failures to print")
    parser.add_argument("--show-missing", action="store_true", help="print what is only imprecise")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.count} expressions")
    cases = make_cases(options.count, random.Random(options.seed))
    per_file = 200
    files, index = {}, {}
    for start in range(0, len(cases), per_file):
        name = f"e{start // per_file:04}.py"
        lines = []
        for case in cases[start : start + per_file]:
            lines.append(f"reveal_type({case[0]})")
            index[name, len(lines)] = case
        files[name] = "\n".join(lines) + "\n"
    shown, raised = {}, {}
    for finding in ask(os.path.abspath(options.binary), files):
        place = finding["path"].removeprefix("./"), finding["line"]
        if finding["severity"] == "note":
            shown[place] = finding["message"]
        elif finding["severity"] == "error":
            line = files[place[0]].splitlines()[finding["line"] - 1]
            part = line[finding["column"] - 1 : finding["end_column"] - 1]
            raised.setdefault(place, []).append((finding.get("raises"), part))
    failures, tally = [], collections.Counter()
    for place, (text, value, error) in index.items():
        class_name = type(error).__name__ if error else None
        if place in raised:
            tally["raises reported"] += 1
            # The analysis goes on after a finding, so a line may have several; one is CPython's.
            # A part that CPython did not reach (the right side of `and`, what follows an exception we missed) must raise when it is reached.
            classes = [name for name, _ in raised[place]]
            unreached = all(raises_if_reached(part, name) for name, part in raised[place])
            if class_name not in classes and not unreached:
                failures.append(f"{text}\n    says {', '.join(classes)}, CPython {class_name or repr(value)}")
        elif error is None:
            text_shown = shown.get(place)
            if text_shown is None:
                failures.append(f"{text}\n    says nothing, CPython {value!r}")
            elif exact(text_shown, value) or (isinstance(value, float) and math.isnan(value)):
                tally["values exact"] += 1
            elif covers(text_shown, value):
                tally["values covered"] += 1
                if options.show_missing:
                    print(f"only {text_shown}: {text} = {value!r}")
            else:
                failures.append(f"{text}\n    says {text_shown}, CPython {value!r}")
        else:
            tally["raises missed"] += 1
            if options.show_missing:
                print(f"missed {class_name}: {text}")
    for failure in failures[: options.show]:
        print("FAIL", failure)
    for name, number in sorted(tally.items()):
        print(f"{name}: {number}")
    values = tally["values exact"] + tally["values covered"]
    raises = tally["raises reported"] + tally["raises missed"]
    share = lambda part, whole: 100 * part / max(whole, 1)  # noqa: E731
    print(f"exact {share(tally['values exact'], values):.1f} % of values, reported {share(tally['raises reported'], raises):.1f} % of exceptions")
    dull = share(tally["values exact"], values) < 80 or share(tally["raises reported"], raises) < 60
    if dull:
        failures.append("less is known than the test asks for (80 % of values, 60 % of exceptions)")
        print("FAIL", failures[-1])
    print(f"{len(index) - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
