"""Random programs with branches on shapes do after pruning what they did before.

    /usr/bin/python3 tests/peers/torch/prune_random.py PYTROPE [--count N] [--seed S] [--show N]

Each program is pruned for a random class of inputs, and both versions are run on random inputs of that class: results,
exceptions, the order of side effects and changes in place must be equal. The seed is printed; the last lines say how many
branches went, and `N passed, M failed`.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import torch
import torch.nn.functional  # noqa: F401

warnings.simplefilter("ignore")

HEADER = """import torch
import torch.nn.functional as F
from torch import nn

LOG = []


def note(value):
    LOG.append(value if isinstance(value, (int, bool)) else type(value).__name__)
    return value


class Box:
    def __init__(self, value):
        self.value = value
        self.reads = 0

    @property
    def width(self):
        self.reads += 1
        LOG.append(("width", self.reads))
        return self.value.shape[-1] if self.value.dim() else 0

    def grow(self):
        self.value = self.value.unsqueeze(0)
        return self.value.dim()


n = 7

"""


class Program:
    def __init__(self, chance):
        self.chance = chance
        self.lines = []
        self.helpers = []
        self.counter = 0

    def pick(self, *choices):
        return self.chance.choice(choices)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # Expressions over the names in scope: tensors, integers, flags.

    def tensor(self, scope, depth=2):
        if depth == 0 or self.chance.random() < 0.3:
            return self.chance.choice(scope["tensors"])
        inner = self.tensor(scope, depth - 1)
        other = self.tensor(scope, depth - 1)
        return self.pick(
            f"{inner}.unsqueeze(0)", f"{inner}.flatten()", f"({inner} + 1)", f"({inner} * {inner})", f"{inner}.sum(0)",
            f"{inner}.transpose(0, -1)", f"{inner}[0]", f"{inner}.reshape(-1)", f"{inner}.clone()", f"torch.relu({inner})",
            f"torch.cat([{inner}, {inner}], 0)", f"torch.stack([{inner}, {inner}])", f"{inner}[:, None]",
            f"{inner}.mean(-1, keepdim=True)", f"({inner} + {other})", f"torch.zeros({self.integer(scope, 1)} % 5, 2)",
            f"{inner}.squeeze()", f"{inner}.expand(2, *{inner}.shape)", f"{inner}.reshape({self.chance.randint(1, 6)}, -1)",
            f"{inner}.t()", f"({inner} @ {other})", f"F.pad({inner}, (1, 1))", f"{inner}[..., :1]", f"{inner}.narrow(0, 0, 1)",
        )

    def integer(self, scope, depth=2):
        if depth == 0:
            return self.pick(*scope["integers"], str(self.chance.randint(0, 4)))
        t = self.tensor(scope, depth - 1)
        a, b = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        return self.pick(
            f"{t}.dim()", f"{t}.size(0)", f"{t}.shape[0]", f"{t}.shape[-1]", f"len({t}.shape)", f"{t}.numel()", f"{t}.ndim",
            f"{t}.size()[0]", f"{t}.size(-1)", f"({a} + {b})", f"({a} * {b})", f"({a} - {b})", f"({a} // {b})", f"({a} % 3)",
            f"min({a}, {b})", f"max({a}, {b})", f"len({t})", f"note({a})", f"{t}.reshape(4).size(0)", f"box.width", "box.grow()",
            f"{t}.add_(1).dim()", f"F.dropout({t}, 0.5).dim()", f"torch.rand(2, {b} % 3).shape[1]",
            f"({a} if {self.condition(scope, depth - 1)} else {b})",
        )

    def condition(self, scope, depth=2):
        if depth <= 0:
            return self.pick(*scope["flags"], f"x.dim() == {self.chance.randint(0, 3)}", f"x.size(0) > {self.chance.randint(0, 3)}")
        a, b = self.integer(scope, 1), self.integer(scope, self.pick(0, 0, 1))
        t, u = self.tensor(scope, 1), self.tensor(scope, 1)
        p, q = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
        name = self.fresh("w")
        return self.pick(
            f"{a} {self.pick('==', '!=', '<', '<=', '>', '>=')} {b}", f"{a} == {b}", f"{a} > {self.chance.randint(0, 3)}",
            f"{t}.dim() == {self.chance.randint(0, 3)}", f"{t}.dim() in (2, 3)", f"{t}.shape == {u}.shape",
            f"{t}.size() != ({a}, {b})", f"not {p}", f"not ({p} or {q})", f"{p} and {q}", f"{p} or {q}", f"({p}) and ({q})",
            f"({p} or {q}) and {a} > 0", f"0 <= {a} < {b}", f"({name} := {a}) > 1", "y is None", "y is not None and y.dim() == 2",
            "isinstance(y, torch.Tensor)", f"note({a}) > 1", f"note({t}.dim() == 2)", f"{a} and {b}", f"bool({a})", "flag",
        )

    # Statements.

    def block(self, scope, depth, indent, in_loop=False):
        for _ in range(self.chance.randint(1, 3)):
            self.statement(scope, depth, indent, in_loop)

    def write(self, indent, text):
        self.lines.append("    " * indent + text)

    def statement(self, scope, depth, indent, in_loop):
        roll = self.chance.random()
        if depth > 0 and roll < 0.45:
            self.conditional(scope, depth, indent, in_loop)
        elif roll < 0.52:
            comment = self.pick("", "", "  # a comment", "  # (")
            self.write(indent, f"assert {self.condition(scope)}{self.pick('', ', note(3)')}{comment}")
        elif roll < 0.60:
            name = self.fresh("t")
            self.write(indent, f"{name} = {self.tensor(scope)} if {self.condition(scope)} else {self.tensor(scope)}")
            scope["tensors"] = scope["tensors"] + [name]
        elif roll < 0.68:
            name = self.pick("t0", self.fresh("t"))
            self.write(indent, f"{name} = {self.tensor(scope)}")
            scope["tensors"] = scope["tensors"] + [name]
        elif roll < 0.76:
            name = self.pick("k0", self.fresh("k"))
            self.write(indent, f"{name} = {self.integer(scope)}")
            scope["integers"] = scope["integers"] + [name]
        elif roll < 0.80:
            name = self.fresh("c")
            self.write(indent, f"{name} = {self.condition(scope)}")
            scope["flags"] = scope["flags"] + [name]
        elif roll < 0.84:
            self.write(indent, f"note({self.integer(scope)})")
        elif roll < 0.88 and self.helpers:
            name = self.fresh("t")
            self.write(indent, f"{name} = {self.chance.choice(self.helpers)}({self.tensor(scope)}, {self.integer(scope, 1)})")
            scope["tensors"] = scope["tensors"] + [name]
        elif roll < 0.90 and depth > 0:
            self.write(indent, f"for i in range({self.pick('2', '3', 'x.dim()', self.integer(scope, 1) + ' % 4')}):")
            inner = dict(scope, integers=scope["integers"] + ["i"])
            self.block(inner, depth - 1, indent + 1, True)
        elif roll < 0.92 and depth > 0:
            self.write(indent, "try:")
            self.block(dict(scope), depth - 1, indent + 1, in_loop)
            self.write(indent, f"except {self.pick('Exception', 'RuntimeError', '(IndexError, AssertionError)')}:")
            self.block(dict(scope), depth - 1, indent + 1, in_loop)
        elif roll < 0.94:
            self.write(indent, f"x = {self.tensor(scope)}")
        elif roll < 0.96 and in_loop:
            self.write(indent, self.pick("break", "continue"))
        elif roll < 0.98:
            self.write(indent, f"return {self.tensor(scope)}, {self.integer(scope, 1)}")
        else:
            self.write(indent, f"raise ValueError({self.integer(scope, 1)})")

    def conditional(self, scope, depth, indent, in_loop):
        if self.chance.random() < 0.1:
            self.write(indent, f"if {self.condition(scope)}: note({self.integer(scope, 1)}); n = 3")
            return
        self.write(indent, f"if {self.condition(scope)}:{self.pick('', '', '  # why')}")
        if self.chance.random() < 0.2:
            self.write(indent + 1, "# Comments stay with their suite.")
        self.block(dict(scope), depth - 1, indent + 1, in_loop)
        for _ in range(self.pick(0, 0, 0, 1, 2)):
            self.write(indent, f"elif {self.condition(scope)}:")
            self.block(dict(scope), depth - 1, indent + 1, in_loop)
        if self.chance.random() < 0.5:
            self.write(indent, "else:")
            self.block(dict(scope), depth - 1, indent + 1, in_loop)

    def function(self, name, parameters, scope, depth):
        self.write(0, f"def {name}({parameters}):")
        if self.chance.random() < 0.2:
            self.write(1, '"""Says something."""')
        self.write(1, "box = Box(x)")
        self.block(scope, depth, 1)
        if self.chance.random() < 0.3:
            self.write(1, "note(n)")
        self.write(1, f"return {self.tensor(scope, 1)}")
        self.lines += ["", ""]

    def text(self):
        for place in range(self.pick(0, 1, 2)):
            name = f"helper{place}"
            scope = {"tensors": ["x"], "integers": ["k"], "flags": ["k > 1"]}
            self.function(name, "x, k, y=None, flag=False", scope, 1)
            self.helpers.append(name)
        scope = {"tensors": ["x"], "integers": ["2", "n"] if self.chance.random() < 0.2 else ["2"], "flags": ["flag"]}
        self.function("forward", "x, y=None, flag=False", scope, 3)
        return HEADER + "\n".join(self.lines).rstrip() + "\n"


def input_class(chance):
    """Assumptions, and a maker of inputs that satisfy them."""
    rank = chance.randint(0, 3)
    bounds = []
    texts = [f"x.ndim == {rank}"]
    for axis in range(rank):
        kind = chance.random()
        low, high = (1, 4) if kind < 0.4 else (0, 4)
        if kind < 0.4:
            texts.append(f"x.shape[{axis}] >= 1")
        elif kind < 0.6:
            low = high = chance.randint(0, 4)
            texts.append(f"x.shape[{axis}] == {low}")
        elif kind < 0.7:
            low, high = 2, 3
            texts.append(f"2 <= x.shape[{axis}] <= 3")
        bounds.append((low, high))
    absent = chance.random()
    if absent < 0.4:
        texts.append("y is None")
    elif absent < 0.6:
        texts.append("y.ndim == 2")
    flag = chance.choice([None, None, True, False])
    if flag is not None:
        texts.append(f"flag is {flag}")

    def make(chance):
        x = torch.arange(1.0, 1000.0)
        sizes = [chance.randint(low, high) for low, high in bounds]
        count = 1
        for size in sizes:
            count *= size
        x = x[:count].reshape(sizes).clone()
        if absent < 0.4:
            y = None
        elif absent < 0.6:
            y = torch.ones(chance.randint(0, 3), chance.randint(0, 3))
        else:
            y = chance.choice([None, torch.ones(2, 3), torch.ones(2), 3])
        return x, y, chance.random() < 0.5 if flag is None else flag

    return texts, make


def shown(value):
    if isinstance(value, torch.Tensor):
        return str(value.dtype), tuple(value.shape), [repr(v) for v in value.reshape(-1).tolist()]
    if isinstance(value, (tuple, list)):
        return [shown(part) for part in value]
    return repr(value)


def behaviour(source, inputs):
    """What the program does on each input."""
    seen = []
    for x, y, flag in inputs:
        namespace = {}
        exec(compile(source, "<program>", "exec"), namespace)
        torch.manual_seed(0)
        x = x.clone()
        y = y.clone() if isinstance(y, torch.Tensor) else y
        try:
            result = shown(namespace["forward"](x, y, flag))
        except Exception as error:
            result = type(error).__name__, str(error)
        seen.append((result, repr(namespace["LOG"]), shown(x), torch.rand(1).item()))
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pytrope")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    torch.set_num_threads(1)
    passed = failed = branches = removed = refused = 0
    reasons = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.count):
            chance = random.Random(f"{options.seed}/{number}")
            source = Program(chance).text()
            assumptions, make = input_class(chance)
            path = Path(folder) / "program.py"
            path.write_text(source)
            command = [options.pytrope, "prune", str(path), "--entry", "forward", "--output-format", "json"]
            for text in assumptions:
                command += ["--assume", text]
            answer = subprocess.run(command, capture_output=True, text=True)
            if answer.returncode not in (0, 1) or not answer.stdout:
                wrong = f"exit code {answer.returncode}: {answer.stderr}"
                report = None
            else:
                report = json.loads(answer.stdout)
                wrong = ""
                if report["source"] is None:
                    refused += 1
                    reason = report.get("reason") or report["diagnostics"][0]["message"]
                    reasons[reason] = reasons.get(reason, 0) + 1
                    continue
                branches += sum(branch["shape"] for branch in report["branches"])
                removed += sum(branch["decision"] != "keep" for branch in report["branches"])
                inputs = [make(chance) for _ in range(8)]
                before = behaviour(source, inputs)
                try:
                    after = behaviour(report["source"], inputs)
                except SyntaxError as error:
                    after = []
                    wrong = f"no Python: {error}"
                for at, (was, now) in enumerate(zip(before, after)):
                    if was != now:
                        wrong = f"on {shown(inputs[at][0])}, {shown(inputs[at][1])}, {inputs[at][2]}: {was} became {now}"
                        break
            passed += not wrong
            failed += bool(wrong)
            if wrong and failed <= options.show:
                print(f"---- program {number}, {' and '.join(assumptions)}\n{source[len(HEADER):]}\n---- became")
                print(report["source"][len(HEADER):] if report else "nothing", "\n----", wrong, flush=True)
    print(f"{removed} of {branches} branches on shapes went; {refused} programs were refused: {reasons}")
    # Programs that lose nothing show nothing.
    enough = removed * 10 >= branches and refused * 4 <= options.count
    print(f"{passed} passed, {failed + (not enough)} failed")
    return 0 if failed == 0 and enough else 1


if __name__ == "__main__":
    sys.exit(main())
