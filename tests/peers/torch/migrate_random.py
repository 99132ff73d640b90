"""Random PyTorch functions: what `migrate` answers, against running them.

    /usr/bin/python3 tests/peers/torch/migrate_random.py PYTROPE [--count 120] [--seed 1] [--only N]

`static` types must run and give the shapes that were said. Where the answer is `partial` or `ill-typed`, no sizes may
run: many are tried. `unknown` is counted. The last line is `N passed, M failed`.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import torch

warnings.simplefilter("ignore")

UNARY = [
    "torch.relu({0})",
    "{0}.sum({axis})",
    "{0}.mean({axis}, keepdim=True)",
    "{0}.transpose({axis}, {axis2})",
    "{0}.flatten({axis})",
    "{0}.reshape({size}, -1)",
    "{0}.view(-1, {size})",
    "{0}.reshape({size2})",
    "{0}.unsqueeze({axis})",
    "{0}[{index}]",
    "{0}[:, {index}:]",
    "{0}[..., ::2]",
    "{0}.softmax({axis})",
    "{0}.chunk(2, {axis})[0]",
    "{0}.permute({permutation})",
    "F.pad({0}, (1, {index}))",
    "torch.cat([{0}, {0}], {axis})",
    "torch.stack([{0}, {0}], {axis})",
    "nn.Linear({size}, {size2})({0})",
    "nn.LayerNorm({size})({0})",
    "nn.Conv1d({size}, {size2}, {kernel}, stride={stride})({0})",
    "nn.Conv2d({size}, {size2}, {kernel}, padding={index})({0})",
    "F.max_pool2d({0}, {kernel})",
    "F.avg_pool1d({0}, {kernel}, stride={stride})",
    "F.adaptive_avg_pool2d({0}, ({size}, 2))",
    "{0} @ torch.ones({size}, {size2})",
    "{0} + torch.ones({size})",
    "{0} * torch.ones({size}, 1)",
    "{0}.expand({size}, -1)",
    "{0}.repeat({size}, 2)",
]
BINARY = ["{0} + {1}", "{0} * {1}", "{0} @ {1}", "torch.cat([{0}, {1}], {axis})", "torch.bmm({0}, {1})", "torch.einsum('ij,jk->ik', {0}, {1})", "{0}.reshape({1}.shape)", "{0}.view_as({1})", "{0}.expand_as({1})"]


def program(generator):
    """One function of one or two tensors."""
    parameters = generator.choice([["x"], ["x"], ["x", "y"]])
    names = list(parameters)
    lines = []
    for number in range(generator.randint(1, 4)):
        pattern = generator.choice(BINARY if len(parameters) > 1 and generator.random() < 0.5 else UNARY)
        blanks = {
            "axis": generator.randint(-2, 2),
            "axis2": generator.randint(-2, 1),
            "size": generator.randint(1, 6),
            "size2": generator.randint(1, 6),
            "index": generator.randint(0, 2),
            "kernel": generator.randint(1, 3),
            "stride": generator.randint(1, 2),
            "permutation": ", ".join(map(str, generator.sample(range(3), 3))),
        }
        operands = [names[-1], generator.choice(names)]
        if generator.random() < 0.3:
            operands.reverse()
        lines.append(f"    v{number} = {pattern.format(*operands, **blanks)}")
        names.append(f"v{number}")
    if generator.random() < 0.25:
        lines.insert(generator.randint(0, len(lines) - 1), f"    assert x.shape[0] {generator.choice(['>', '==', '<'])} {generator.randint(1, 5)}")
    return parameters, "\n".join(["import torch", "import torch.nn.functional as F", "from torch import nn", "", "", f"def f({', '.join(parameters)}):", *lines, f"    return {names[-1]}", ""])


def runs(function, shapes):
    """The shape that comes out, or None if it raises."""
    try:
        with torch.no_grad():
            return list(function(*[torch.ones(shape) for shape in shapes]).shape)
    except (RuntimeError, IndexError, ValueError, AssertionError, TypeError):
        return None


def candidates(generator, count):
    """Sizes to try, small ones above all."""
    ranks = list(itertools.product(range(5), repeat=count))
    for _ in range(400):
        yield [[generator.choice((1, 1, 2, 2, 3, 4, 5, 6, 8, 12)) for _ in range(rank)] for rank in generator.choice(ranks)]


def asked(pytrope, path):
    answer = subprocess.run([pytrope, "migrate", path, "--entry", "f", "--output-format", "json"], capture_output=True, text=True)
    if answer.returncode not in (0, 1):
        return {"verdict": f"exit code {answer.returncode}: {answer.stderr[:200]}"}
    return json.loads(answer.stdout)


def judge(parameters, source, report, generator):
    """A complaint, or None."""
    namespace = {}
    exec(source, namespace)
    function = namespace["f"]
    if report["verdict"] == "static":
        shapes = [report["parameters"][name]["dims"] for name in parameters]
        result = runs(function, shapes)
        if result is None:
            return f"{shapes} does not run"
        said = report["returns"]["dims"]
        if said is not None and [a if a is not None else b for a, b in zip(said, result)] != result:
            return f"{shapes} gives {result}, not {said}"
        return None
    if report["verdict"] in ("partial", "ill-typed"):
        for shapes in candidates(generator, len(parameters)):
            if runs(function, shapes) is not None:
                return f"{report['verdict']}, but {shapes} runs"
        return None
    return None if report["verdict"] == "unknown" else report["verdict"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pytrope")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    numbers = [arguments.only] if arguments.only is not None else range(arguments.count)
    made = {number: program(random.Random(f"{arguments.seed} {number}")) for number in numbers}
    count = collections.Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = {number: pathlib.Path(folder, f"p{number}.py") for number in numbers}
        for number, path in paths.items():
            path.write_text(made[number][1])
        reports = pool.map(lambda number: asked(arguments.pytrope, paths[number]), numbers)
        for number, report in zip(numbers, reports):
            parameters, source = made[number]
            count[report["verdict"]] += 1
            complaint = judge(parameters, source, report, random.Random(f"{arguments.seed} {number} sizes"))
            if complaint:
                failed += 1
                print(f"FAIL {number}: {complaint}\n{source}", flush=True)
            elif arguments.only is not None:
                print(source, report)
    print(", ".join(f"{verdict} {number}" for verdict, number in sorted(count.items())), f"(seed {arguments.seed})")
    print(f"{len(made) - failed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
