"""Random systems of shape arithmetic: our answers against z3's and against plain evaluation.

    python fuzz.py BINARY [--count 20000] [--seed 1] [--timeout-ms 100] [--keep DIR]

BINARY reads scripts on standard input and answers each on a line (`cargo build --release
-p pytrope_dims --example solve_batch`). A run fails on a contradiction, on a model that does
not satisfy its system, and on `unknown` for a linear system. Every system is made from the
seed and its number, so a failure is repeated with `--only NUMBER`.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections import Counter

# Terms are tuples, so that one tree is both written as SMT-LIB and evaluated here.


def smt(term):
    if isinstance(term, bool):
        return "true" if term else "false"
    if isinstance(term, int):
        return str(term) if term >= 0 else f"(- {-term})"
    if isinstance(term, str):
        return term
    return "(" + term[0] + "".join(" " + smt(part) for part in term[1:]) + ")"


def value(term, model):
    if isinstance(term, (bool, int)):
        return term
    if isinstance(term, str):
        return model[term]
    operator, *parts = term
    if operator == "ite":
        return value(parts[1], model) if value(parts[0], model) else value(parts[2], model)
    numbers = [value(part, model) for part in parts]
    match operator:
        case "+":
            return sum(numbers)
        case "-":
            return -numbers[0] if len(numbers) == 1 else numbers[0] - sum(numbers[1:])
        case "*":
            product = 1
            for number in numbers:
                product *= number
            return product
        case "div" | "mod":
            # SMT-LIB's remainder is never negative.
            a, b = numbers
            remainder = a % abs(b)
            return remainder if operator == "mod" else (a - remainder) // b
        case "=":
            return numbers[0] == numbers[1]
        case "distinct":
            return len(set(numbers)) == len(numbers)
        case "<=":
            return numbers[0] <= numbers[1]
        case "<":
            return numbers[0] < numbers[1]
        case ">=":
            return numbers[0] >= numbers[1]
        case ">":
            return numbers[0] > numbers[1]
        case "and":
            return all(numbers)
        case "or":
            return any(numbers)
        case "not":
            return not numbers[0]
        case "=>":
            return not numbers[0] or numbers[1]
    raise AssertionError(operator)


class System:
    """One random system: declarations, assertions, and whether all of it is linear."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.names = []
        self.asserts = []
        self.linear = True
        families = [
            self.convolutions, self.sums, self.divisible, self.views,
            self.broadcasting, self.quotients, self.choices, self.residual,
        ]
        self.family = families[number % len(families)]
        self.family()
        for name in self.names:
            self.range_of(name)

    def fresh(self, count):
        made = [f"x{len(self.names) + index}" for index in range(count)]
        self.names += made
        return made

    def pick(self, *choices):
        return self.random.choice(choices)

    def range_of(self, name):
        """Dimensions are at least 0; half the time they have an upper end too."""
        if self.random.random() < 0.95:
            self.asserts.append((">=", name, self.pick(0, 0, 1, 1, 3)))
        if self.random.random() < 0.5:
            self.asserts.append(("<=", name, self.pick(4, 10, 64, 224, 512, 4096)))

    def comparison(self):
        return self.pick("=", "=", "<=", "<", ">=", ">", "distinct")

    def window(self, size):
        """A convolution's or pooling's output size, now and then with a dilated kernel."""
        kernel, stride, padding = self.random.randint(1, 11), self.random.randint(1, 4), self.random.randint(0, 3)
        return ("+", ("div", ("+", size, 2 * padding - kernel), stride), 1)

    def convolutions(self):
        """Chains of windows on one or two sizes, with demands on the outputs."""
        sizes = self.fresh(self.random.randint(1, 2))
        outputs = []
        for size in sizes:
            for _ in range(self.random.randint(1, 5)):
                size = self.window(size)
                if self.random.random() < 0.3:
                    self.asserts.append((">=", size, 1))
            outputs.append(size)
        for output in outputs:
            self.asserts.append((self.comparison(), output, self.random.randint(0, 30)))
        if len(outputs) == 2:
            self.asserts.append((self.comparison(), outputs[0], ("+", outputs[1], self.random.randint(-3, 3))))

    def linear_sum(self, names):
        parts = [("*", self.random.randint(-7, 7), name) for name in self.random.sample(names, min(len(names), 3))]
        return ("+", self.random.randint(-40, 40), *parts)

    def sums(self):
        """Linear equations, inequalities, disequalities."""
        names = self.fresh(self.random.randint(1, 5))
        for _ in range(self.random.randint(1, 6)):
            self.asserts.append((self.comparison(), self.linear_sum(names), self.linear_sum(names)))

    def divisible(self):
        """Divisibility, remainders, nested divisions of sums."""
        names = self.fresh(self.random.randint(1, 3))
        for _ in range(self.random.randint(1, 5)):
            d = self.random.randint(2, 12)
            term = self.linear_sum(names)
            match self.random.randint(0, 3):
                case 0:
                    self.asserts.append(("=", ("mod", term, d), self.random.randint(0, d)))
                case 1:
                    inner = ("+", ("div", term, d), self.pick(*names))
                    self.asserts.append((self.comparison(), ("div", inner, self.random.randint(2, 5)), self.random.randint(-5, 20)))
                case 2:
                    self.asserts.append((self.comparison(), ("*", d, ("div", self.pick(*names), d)), self.pick(*names)))
                case _:
                    self.asserts.append(("not", ("=", ("mod", self.pick(*names), d), self.random.randint(0, d - 1))))

    def views(self):
        """Element counts: products equal to products or to constants, as `view` and `flatten` ask."""
        self.linear = False
        names = self.fresh(self.random.randint(2, 4))
        for _ in range(self.random.randint(1, 3)):
            left = ("*", *self.random.sample(names, 2), self.random.randint(1, 6))
            match self.random.randint(0, 3):
                case 0:
                    right = self.pick(0, 12, 36, 64, 100, 768, 4096, 9216, 7)
                case 1:
                    right = ("*", self.pick(*names), self.random.randint(1, 64))
                case 2:
                    right = ("*", self.pick(*names), self.pick(*names), self.random.randint(1, 4))
                case _:
                    right = ("+", self.pick(*names), self.random.randint(0, 50))
            self.asserts.append((self.pick("=", "=", "<=", "distinct", ">"), left, right))

    def broadcast(self, a, b, result):
        return ("or", ("and", ("=", a, b), ("=", result, a)), ("and", ("=", a, 1), ("=", result, b)), ("and", ("=", b, 1), ("=", result, a)))

    def broadcasting(self):
        """Broadcasting choices over shapes that share sizes."""
        names = self.fresh(self.random.randint(3, 6))
        for _ in range(self.random.randint(1, 5)):
            a, b = self.pick(*names, 1, 3, 8), self.pick(*names)
            self.asserts.append(self.broadcast(a, b, self.pick(*names)))
        for _ in range(self.random.randint(0, 3)):
            self.asserts.append((self.comparison(), self.pick(*names), ("+", self.pick(*names), self.random.randint(-2, 4))))

    def quotients(self):
        """`view(-1)`: products divided by products."""
        self.linear = False
        a, b, c, d = self.fresh(4)
        self.asserts += [(">=", c, 1), (">=", d, 1)]
        total = ("*", a, b, self.pick(1, 2, 3, 12))
        part = self.pick(c, ("*", c, 4), ("*", c, d), a if self.random.random() < 0.5 else c)
        if part == a:
            self.asserts.append((">=", a, 1))
        rest = ("div", total, part)
        if self.random.random() < 0.7:
            self.asserts.append(("=", ("mod", total, part), 0))
        if self.random.random() < 0.5:
            self.asserts.append(("=", c, self.pick(a, b, 1, 2, 8, 64)))
        self.asserts.append((self.comparison(), rest, self.pick(b, d, 1, 5, 100, ("*", b, 3))))

    def choices(self):
        """Minima, maxima, slices, implications."""
        names = self.fresh(self.random.randint(2, 4))
        for _ in range(self.random.randint(1, 4)):
            a, b = self.pick(*names), ("+", self.pick(*names), self.random.randint(-4, 4))
            least = ("ite", ("<=", a, b), a, b)
            match self.random.randint(0, 2):
                case 0:
                    self.asserts.append((self.comparison(), least, self.linear_sum(names)))
                case 1:
                    self.asserts.append(("=>", (self.comparison(), a, b), (self.comparison(), least, self.random.randint(0, 9))))
                case _:
                    self.asserts.append(("or", (self.comparison(), a, b), ("not", (self.comparison(), least, self.pick(*names))), ("=", a, 7)))

    def residual(self):
        """Two paths of windows that are added: their outputs broadcast."""
        size, result = self.fresh(2)
        left = right = size
        for _ in range(self.random.randint(1, 3)):
            left = self.window(left)
        for _ in range(self.random.randint(1, 3)):
            right = self.window(right)
        self.asserts += [(">=", left, 1), (">=", right, 1), self.broadcast(left, right, result)]
        if self.random.random() < 0.5:
            self.asserts.append(("distinct", left, right))

    def text(self):
        lines = [f"(declare-const {name} Int)" for name in self.names]
        return "\n".join(lines + [f"(assert {smt(term)})" for term in self.asserts]) + "\n"


def ours(binary, systems):
    text = "".join(system.text() + "(check-sat)\n; ---\n" for system in systems)
    run = subprocess.run([binary], input=text, capture_output=True, text=True, check=True)
    answers = [line.rsplit("\t", 1) for line in run.stdout.splitlines()]
    assert len(answers) == len(systems), f"{len(answers)} answers for {len(systems)} systems"
    return [(answer, int(micros)) for answer, micros in answers]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    parser.add_argument("--timeout-ms", type=int, default=100)
    parser.add_argument("--keep", help="write systems that fail, or stay unknown, into this folder")
    arguments = parser.parse_args()
    import z3

    numbers = range(arguments.count) if arguments.only is None else [arguments.only]
    print(f"seed {arguments.seed}, {len(numbers)} systems, z3 {z3.get_version_string()}")
    systems = [System(arguments.seed, number) for number in numbers]
    start = time.process_time()
    answers = ours(arguments.binary, systems)
    mine = sum(micros for _, micros in answers) / 1e6
    verdicts, unknowns, failures, theirs_unknown = Counter(), Counter(), [], 0
    slowest, slowest_number = max((micros, number) for number, (_, micros) in zip(numbers, answers))
    for number, system, (answer, micros) in zip(numbers, systems, answers):
        verdict, *assignments = answer.split(" ")
        verdicts[verdict] += 1
        kind = "linear" if system.linear else "other"
        if arguments.only is not None:
            print(system.text(), answer)
        solver = z3.Solver()
        solver.set("timeout", arguments.timeout_ms)
        solver.from_string(system.text())
        theirs = str(solver.check())
        theirs_unknown += theirs == "unknown"
        problem = None
        if verdict == "sat":
            model = {name: int(text) for name, _, text in (pair.partition("=") for pair in assignments)}
            broken = [term for term in system.asserts if not value(term, model)]
            if broken:
                problem = f"model {model} breaks {smt(broken[0])}"
            elif theirs == "unsat":
                problem = "z3 says unsat to a system with a model"
        elif verdict == "unsat" and theirs == "sat":
            problem = "we say unsat, z3 says sat"
        elif verdict == "unknown":
            unknowns[kind, system.family.__name__, theirs] += 1
            if system.linear:
                problem = "unknown on a linear system"
        elif verdict not in ("sat", "unsat"):
            problem = answer
        if problem:
            failures.append((number, problem))
            print(f"system {number} ({system.family.__name__}): {problem}")
        if arguments.keep and (problem or verdict == "unknown"):
            os.makedirs(arguments.keep, exist_ok=True)
            with open(os.path.join(arguments.keep, f"{number}.smt2"), "w") as file:
                file.write(system.text() + "(check-sat)\n")
    others = sum(not system.linear for system in systems)
    unknown_others = sum(count for (kind, *_), count in unknowns.items() if kind == "other")
    print(f"ours: {dict(verdicts)}, {mine:.2f} s in all, slowest {slowest} µs (system {slowest_number}); z3 and generator: {time.process_time() - start:.1f} s, unknown {theirs_unknown}")
    if others:
        print(f"unknown on other systems: {unknown_others} of {others} ({100 * unknown_others / others:.2f} %)")
    for key, count in sorted(unknowns.items()):
        print("  ", *key, count)
    if failures:
        print(f"{len(failures)} failures; repeat one with --seed {arguments.seed} --only {failures[0][0]}")
    families = {system.family.__name__ for system in systems}
    failed = {System(arguments.seed, number).family.__name__ for number, _ in failures}
    print(f"{len(families - failed)} passed, {len(failed)} failed (families of systems)")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
