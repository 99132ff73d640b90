"""Every static type that `pytrope migrate` finds for torchvision's classification models runs in PyTorch.

    /usr/bin/python3 tests/peers/torch/migrate.py PYTROPE [--all] [NAME …]

For each model the types are found from torchvision's own source, then the model is built and run on random inputs
of these sizes (on the CPU, never the meta device). Without --all one model of each family is run, with it all that
torchvision has. The models of the paper's Figure 8 are also asked its second question. The last line is
`N passed, M failed`.
"""

import gc
import inspect
import json
import resource
import subprocess
import sys
import time

import torch
import torchvision

# One model of each family; the prefix says which models belong to it.
FAMILIES = {
    "alexnet": "alexnet",
    "vgg": "vgg11",
    "resnet": "resnet50",
    "resnext": "resnext50_32x4d",
    "wide_resnet": "wide_resnet50_2",
    "densenet": "densenet121",
    "googlenet": "googlenet",
    "inception": "inception_v3",
    "mobilenet_v2": "mobilenet_v2",
    "mobilenet_v3": "mobilenet_v3_small",
    "mnasnet": "mnasnet0_5",
    "shufflenet": "shufflenet_v2_x0_5",
    "squeezenet": "squeezenet1_0",
    "efficientnet_b": "efficientnet_b0",
    "efficientnet_v2": "efficientnet_v2_s",
    "convnext": "convnext_tiny",
    "regnet_x": "regnet_x_400mf",
    "regnet_y": "regnet_y_400mf",
    "vit": "vit_b_16",
    "maxvit": "maxvit_t",
    "swin_v2": "swin_v2_t",
    "swin": "swin_t",
}


# Figure 8, Q2: types under arithmetic constraints.
RANGES = "5 <= x.shape[0] <= 20 and 100 <= x.shape[2] <= 300 and 100 <= x.shape[3] <= 300"
FIGURE_8 = ("alexnet", "resnet50")


def shapes(value):
    """The shapes of a result, nested as the result is."""
    if isinstance(value, torch.Tensor):
        return list(value.shape)
    if isinstance(value, (tuple, list)):
        return [shapes(part) for part in value]
    return None


def agrees(found, real):
    """Whether the shapes that were found are those that came out; what was not found agrees with anything."""
    if found is None:
        return True
    if isinstance(found, dict):
        dims = found["dims"]
        return dims is None or (len(dims) == len(real) and all(size is None or size == own for size, own in zip(dims, real)))
    return len(found) == len(real) and all(agrees(part, own) for part, own in zip(found, real))


def without_initial_weights():
    """Weights say nothing about shapes, and drawing them takes most of the time."""
    for name in ("kaiming_normal_", "kaiming_uniform_", "normal_", "uniform_", "trunc_normal_", "xavier_uniform_", "constant_", "ones_", "zeros_"):
        setattr(torch.nn.init, name, lambda tensor, *args, **kwargs: tensor)


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def check(pytrope, name, assume=None):
    build = getattr(torchvision.models, name)
    started = processor_seconds()
    command = [pytrope, "migrate", inspect.unwrap(build).__module__, "--entry", f"{name}()", "--python", sys.executable, "--output-format", "json"]
    if assume:
        command += ["--assume", assume]
    answer = subprocess.run(command, capture_output=True, text=True)
    seconds = processor_seconds() - started
    if answer.returncode not in (0, 1):
        return False, f"exit code {answer.returncode}: {answer.stderr.strip()}"
    report = json.loads(answer.stdout)
    if report["verdict"] != "static":
        return False, f"{report['verdict']} after {seconds:.2f} s: {[each['message'] for each in report['diagnostics']]}"
    sizes = report["parameters"]["x"]["dims"]
    if assume and not eval(assume, {"x": torch.empty(sizes, device="meta")}):
        return False, f"{sizes} is not what was assumed"
    with torch.no_grad():
        result = shapes(build()(torch.rand(sizes)))
    if not agrees(report["returns"], result):
        return False, f"{sizes} gives {result}, not {report['returns']}"
    return True, f"{sizes} in {seconds:.2f} s of processor time, of which {report['solving_seconds'] * 1000:.2f} ms solving"


def models():
    """The names of all classification models."""
    return sorted(torchvision.models.list_models(module=torchvision.models))


def main():
    arguments = sys.argv[2:]
    names = [argument for argument in arguments if not argument.startswith("--")]
    if not names:
        names = models() if "--all" in arguments else list(FAMILIES.values())
    alone = [name for name in models() if not any(name.startswith(prefix) for prefix in FAMILIES)]
    if alone:
        print(f"FAIL no family has {alone}")
        return 1
    without_initial_weights()
    started = time.time()
    questions = [(name, None) for name in names] + [(name, RANGES) for name in names if name in FIGURE_8]
    good = 0
    for name, assume in questions:
        ok, text = check(sys.argv[1], name, assume)
        good += ok
        print(f"{'ok  ' if ok else 'FAIL'} {name}{' in ranges' if assume else ''}: {text}", flush=True)
        gc.collect()
    print(f"in {time.time() - started:.0f} s on the clock")
    print(f"{good} passed, {len(questions) - good} failed")
    return 0 if good == len(questions) else 1


if __name__ == "__main__":
    sys.exit(main())
