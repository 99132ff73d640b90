"""Queries that `migrate` makes, seen by z3 and by `pytrope solve`; and `--solver z3` where ours does not know.

    python second_opinion.py PYTROPE Z3

PYTROPE and Z3 are binaries. The last line is `N passed, M failed`.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = {
    # name: (source, entry, assumptions)
    "convolutions": (
        """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 7, stride=2, padding=3), nn.MaxPool2d(3, 2), nn.Conv2d(8, 8, 5), nn.AvgPool2d(2))
        self.head = nn.Linear(8 * 5 * 5, 10)
    def forward(self, x):
        return self.head(torch.flatten(self.body(x), 1))
""",
        "Net",
        [],
    ),
    "ranges": ("def f(x, y):\n    return x.reshape(-1, 12) @ y\n", "f", ["7 <= x.shape[0] <= 30", "x.ndim == 2 and y.ndim == 2"]),
    "nothing fits": ("def f(x):\n    return x.view(3, 5)\n", "f", ["x.ndim == 2 and x.shape[0] == 4"]),
    "a conflict": (
        "import torch\ndef f(x):\n    return torch.nn.functional.conv2d(x, torch.zeros(4, 2, 3, 3)), torch.nn.functional.conv2d(x, torch.zeros(4, 3, 3, 3))\n",
        "f",
        [],
    ),
    "broadcasting": ("def f(x, y, z):\n    return (x + y) * z.transpose(0, 1)\n", "f", ["x.ndim == 2 and y.ndim == 2 and z.ndim == 2 and x.shape[0] > 2"]),
}

# Pell's equation: its solutions are far apart, and ours looks only near likely sizes.
PELL = "x.shape[0] ** 2 == 2 * x.shape[1] ** 2 + 1 and x.shape[1] > 600"

BAD_FILES = {
    "an open parenthesis": "(assert (> 1 0)",
    "a closed one": ")",
    "an unknown constant": "(assert (> x 1))(check-sat)",
    "another sort": "(declare-const x Real)(check-sat)",
    "another command": "(declare-datatypes () ((T a b)))(check-sat)",
    "a wrong number of arguments": "(declare-const x Int)(assert (= x))(check-sat)",
    "a sum of truths": "(declare-const b Bool)(assert (= 1 (+ b 1)))(check-sat)",
    "no assertion at all": "(assert)",
    "an unknown function": "(declare-const x Int)(assert (= x (frobnicate 2)))(check-sat)",
    "a number that is none": "(declare-const x Int)(assert (= x 1.5))(check-sat)",
    "two of one name": "(declare-const x Int)(declare-const x Int)(check-sat)",
}

GOOD_FILES = {
    "": "sat",
    "(check-sat)": "sat",
    "; only a comment\n": "sat",
    "(declare-fun x () Int)(assert (and (> (* x x) 10) (< x 0)))(check-sat)(get-model)": "sat",
    "(declare-const x Int)(assert (= (* 2 x) 7))(check-sat)": "unsat",
    "(declare-const x Int)(assert (= (mod x 4) 3))(assert (= (mod x 2) 0))(check-sat)": "unsat",
    "(set-logic QF_NIA)(declare-const p Bool)(declare-const x Int)(assert (=> p (> x 3)))(assert (let ((y (+ x 1))) (ite p (< y 4) (= y 9))))(check-sat)": "sat",
    "(declare-const x Int)(declare-const y Int)(assert (distinct x y 3))(assert (<= 3 x 4 y 5))(check-sat)": "sat",
    "(declare-const x Int)(assert (= 0 (div x 0)))(check-sat)": "sat",
    "(assert " + "(not " * 701 + "true" + ")" * 701 + ")(check-sat)": "unsat",
    "(declare-const x Int)(assert (= x 170141183460469231731687303715884105728))(check-sat)": ("sat", "unknown"),
}


class Count:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, ok, what):
        self.passed += bool(ok)
        self.failed += not ok
        print(f"{'ok  ' if ok else 'FAIL'} {what}", flush=True)


def run(command, path=None, text=None):
    environment = dict(os.environ)
    if path is not None:
        environment["PATH"] = str(path)
    return subprocess.run(command, capture_output=True, text=True, env=environment, input=text)


def verdict(output):
    words = output.split()
    return words[0] if words else "nothing"


def main():
    pytrope, z3 = sys.argv[1], pathlib.Path(sys.argv[2])
    check = Count()
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, (source, entry, assumptions) in PROGRAMS.items():
            program = folder / "program.py"
            program.write_text(source)
            queries = folder / name.replace(" ", "-")
            command = [pytrope, "migrate", program, "--entry", entry, "--dump-smt2", queries]
            for assumption in assumptions:
                command += ["--assume", assumption]
            answer = run(command)
            check(answer.returncode in (0, 1), f"migrate of {name}: {verdict(answer.stderr)}")
            written = sorted(queries.glob("*.smt2"))
            print(f"{name}: {len(written)} queries")
            asked += len(written)
            for query in written:
                theirs = run([z3, "-T:20", query])
                ours = run([pytrope, "solve", query])
                pair = (verdict(theirs.stdout), verdict(ours.stdout))
                agree = pair[0] in ("sat", "unsat", "unknown") and pair[1] in ("sat", "unsat", "unknown") and ("unknown" in pair or pair[0] == pair[1])
                check(agree, f"{name} {query.name}: z3 {pair[0]}, ours {pair[1]}")
        check(asked >= 10, f"{asked} queries in all")
        program = folder / "pell.py"
        program.write_text("def f(x):\n    return x.relu()\n")
        command = [pytrope, "migrate", program, "--entry", "f", "--assume", PELL, "--assume", "x.ndim == 2"]
        alone = run(command)
        check(alone.returncode == 1 and "not decided" in alone.stderr, "ours does not know Pell's equation")
        both = run([*command, "--solver", "z3"], path=f"{z3.parent}{os.pathsep}{os.environ.get('PATH', '')}")
        sizes = [int(number) for number in re.findall(r"TensorType\(\[(\d+), (\d+)\]\)", both.stdout)[0]] if both.returncode == 0 else None
        check(sizes is not None and sizes[0] ** 2 == 2 * sizes[1] ** 2 + 1 and sizes[1] > 600, f"with z3 it does: {sizes}")
        nobody = run([*command, "--solver", "z3"], path=folder)
        check(nobody.returncode == 2 and "z3" in nobody.stderr, "without a z3 on PATH that is said")
    for what, text in BAD_FILES.items():
        answer = run([pytrope, "solve", "-"], text=text)
        check(answer.returncode == 2 and "error" in answer.stderr and not answer.stdout, f"{what}: {answer.stderr.strip()}")
    for text, wanted in GOOD_FILES.items():
        answer = run([pytrope, "solve", "-"], text=text)
        check(verdict(answer.stdout) in (wanted if isinstance(wanted, tuple) else (wanted,)), f"{text[:60]!r}: {verdict(answer.stdout)} {answer.stderr.strip()}")
    gone = run([pytrope, "solve", "no/such/file.smt2"])
    check(gone.returncode == 2 and "no/such/file.smt2" in gone.stderr, "a file that is not there")
    print(f"{check.passed} passed, {check.failed} failed")
    return 0 if check.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
