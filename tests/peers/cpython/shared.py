"""Programs that grow shared structures: tuples, lists, dicts and instances that hold the same object many times over.

    python shared.py --binary target/release/pytrope --count 60 [--seed S]

Such a value is small in memory and exponential when it is walked without remembering what was seen. The binary gets a limit of
processor time by the system; a program that uses it up is a failure. Nothing is compared with CPython.
"""

import argparse
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

SECONDS = 20

STARTS = ["1", "[]", "{}", "()", "object()", "q", "np.ones((2, 3))", "C(1)", "'a'"]
PAIRS = ["({0}, {0})", "[{0}, {0}]", "{{'a': {0}, 'b': {0}}}", "C(({0}, {0}))", "(({0},), [{0}])", "[*[{0}], {0}]", "({0}, {1})", "dict(a={0}, b=[{0}])",
         "lambda v={0}, w={0}: (v, w)", "[{0}] * 2", "{0} + {0} if isinstance({0}, tuple) else ({0}, {0})"]  # fmt: skip
HEADS = ["for i in range({n}):", "for i in range(q):", "while q.more():", "for i in q:"]
USES = ["print({0})", "{0} == {1}", "str({0})", "q.take({0})", "{0}, {1} = {1}, {0}", "sorted([{0}, {1}], key=q.key)", "del {1}; {1} = {0}", "hash({0})", "copy.deepcopy({0})"]


def program(rng):
    lines = ["import copy", "import numpy as np", "from somewhere import q", "class C:", "    def __init__(self, v):", "        self.v = v", "        self.w = v"]
    body = [f"x = {rng.choice(STARTS)}", f"y = {rng.choice(STARTS)}", rng.choice(HEADS).format(n=rng.choice([3, 40, 60, 200]))]
    for _ in range(rng.randint(1, 3)):
        name, other = rng.choice([("x", "y"), ("y", "x")])
        made = rng.choice(PAIRS).format(name, other)
        form = rng.randrange(4)
        if form == 0:
            body.append(f"    {name} = {made}")
        elif form == 1:
            body.append(f"    {name} = {made} if q.a else {rng.choice(PAIRS).format(name, other)}")
        elif form == 2:
            body += [f"    if q.b({name}):", f"        {name} = {made}", "    else:", f"        {name} = {rng.choice(PAIRS).format(other, name)}"]
        else:
            body += ["    try:", f"        {name} = {made}", "        q.risk()", "    except ValueError:", f"        {other} = {name}"]
    if rng.random() < 0.3:
        body.append(f"    {rng.choice(USES).format('x', 'y')}")
    body += [rng.choice(USES).format("x", "y") for _ in range(2)]
    if rng.random() < 0.5:
        return "\n".join([*lines, "def f(q):", *(f"    {line}" for line in body), "    return x, y", "f(q)"]) + "\n"
    return "\n".join([*lines, *body]) + "\n"


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if arguments.seed is None else arguments.seed
    rng = random.Random(seed)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "shared.py"
        for _ in range(arguments.count):
            text = program(rng)
            path.write_text(text)
            command = [os.path.abspath(arguments.binary), "check", "--isolated", "--exit-zero", "--quiet", path.name]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, preexec_fn=limits)  # noqa: PLW1509
            if done.returncode != 0:
                failed += 1
                print(f"---- ended with {done.returncode}\n{text}")
    print(f"seed {seed}")
    print(f"{arguments.count - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
