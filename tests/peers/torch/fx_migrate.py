"""Figure 8 of the paper by its own tool: torch.fx's gradual types with z3, a fresh solver for each question.

    /usr/bin/python3 tests/peers/torch/fx_migrate.py SITE_PACKAGES [NAME …]

SITE_PACKAGES holds a recent z3-solver. For each model of torchvision and each question one line of JSON is printed: the
answer, whether it runs in PyTorch, and seconds of processor time spent tracing, making constraints and solving them.
"""

import json
import sys
import time

sys.path.insert(0, sys.argv[1])

import torch
import torchvision
import z3
from torch.fx import symbolic_trace
from torch.fx.experimental.migrate_gradual_types.transform_to_z3 import transform_all_constraints
from torch.fx.experimental.migrate_gradual_types.z3_types import D, tensor_type
from torch.fx.tensor_type import Dyn

MODELS = {"alexnet": torchvision.models.alexnet, "resnet50": torchvision.models.resnet50}


def static(dims):
    """Every dimension is a number: the question Q1 at rank 4."""
    return [dim.arg(0) == 1 for dim in dims] + [dim.arg(1) >= 0 for dim in dims]


def ranges(dims):
    """The arithmetic constraints of Q2: a batch of 5 to 20 images whose sides are between 100 and 300."""
    batch, _, height, width = (dim.arg(1) for dim in dims)
    return [batch >= 5, batch <= 20, height >= 100, height <= 300, width >= 100, width <= 300]


def runs(model, sizes):
    model.eval()
    try:
        with torch.no_grad():
            model(torch.rand(sizes))
    except (RuntimeError, IndexError, ValueError):
        return False
    return True


def ask(name, question):
    torch.manual_seed(0)
    model = MODELS[name]()
    started = time.process_time()
    traced = symbolic_trace(model)
    for node in traced.graph.nodes:
        if node.op == "placeholder":
            node.type = Dyn
    made = transform_all_constraints(traced, counter=0)
    generated = time.process_time()
    solver = z3.Solver()
    solver.add(made)
    x = z3.Const(1, tensor_type)
    dims = [D(z3.Int(f"s{axis}"), z3.Int(f"d{axis}")) for axis in range(4)]
    solver.add(x == tensor_type.tensor4(*dims))
    solver.add(static(dims))
    if question == "Q2":
        solver.add(ranges(dims))
    verdict = str(solver.check())
    solved = time.process_time()
    sizes = None
    if verdict == "sat":
        found = solver.model()
        sizes = [found.eval(z3.Int(f"d{axis}"), model_completion=True).as_long() for axis in range(4)]
    return {
        "model": name,
        "question": question,
        "verdict": verdict,
        "sizes": sizes,
        "runs": sizes is not None and runs(model, sizes),
        "making_seconds": generated - started,
        "solving_seconds": solved - generated,
        "z3": z3.get_version_string(),
    }


for name in sys.argv[2:] or MODELS:
    for question in ("Q1", "Q2"):
        print(json.dumps(ask(name, question)), flush=True)
