"""Every static type that `pytrope migrate` finds for torchvision's classification models runs in PyTorch.

    /usr/bin/python3 tests/peers/torch/migrate.py PYTROPE [--all]

For each model the types are found from torchvision's own source, then the model is built and run on random inputs
of these sizes (on the CPU, never the meta device). Without --all one model of each family is run. The last line is
`ok N of M`.
"""

import json
import subprocess
import sys
import time

import torch
import torchvision

FAMILIES = {
    "alexnet": ["alexnet"],
    "vgg": ["vgg11", "vgg11_bn", "vgg13", "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn"],
    "resnet": ["resnet50", "resnet18", "resnet34", "resnet101", "resnet152", "resnext50_32x4d", "resnext101_32x8d", "wide_resnet50_2", "wide_resnet101_2"],
    "densenet": ["densenet121", "densenet161", "densenet169", "densenet201"],
    "googlenet": ["googlenet"],
    "inception": ["inception_v3"],
    "mobilenetv2": ["mobilenet_v2"],
    "mobilenetv3": ["mobilenet_v3_small", "mobilenet_v3_large"],
    "mnasnet": ["mnasnet0_5", "mnasnet0_75", "mnasnet1_0", "mnasnet1_3"],
    "shufflenetv2": ["shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "shufflenet_v2_x1_5", "shufflenet_v2_x2_0"],
    "squeezenet": ["squeezenet1_0", "squeezenet1_1"],
    "efficientnet": ["efficientnet_b0", "efficientnet_b1", "efficientnet_b2", "efficientnet_b3", "efficientnet_v2_s"],
    "convnext": ["convnext_tiny", "convnext_small", "convnext_base"],
    "regnet": ["regnet_y_400mf", "regnet_y_800mf", "regnet_x_400mf", "regnet_x_800mf"],
    "vision_transformer": ["vit_b_16", "vit_b_32"],
    "swin_transformer": ["swin_t", "swin_s", "swin_v2_t"],
}


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


def check(pytrope, module, name):
    started = time.time()
    command = [pytrope, "migrate", f"torchvision.models.{module}", "--entry", f"{name}()", "--python", sys.executable, "--output-format", "json"]
    answer = subprocess.run(command, capture_output=True, text=True)
    seconds = time.time() - started
    if answer.returncode not in (0, 1):
        return False, f"exit code {answer.returncode}: {answer.stderr.strip()}"
    report = json.loads(answer.stdout)
    if report["verdict"] != "static":
        return False, f"{report['verdict']} after {seconds:.2f} s"
    sizes = report["parameters"]["x"]["dims"]
    torch.manual_seed(0)
    model = getattr(torchvision.models, name)()
    with torch.no_grad():
        result = shapes(model(torch.rand(sizes)))
    if not agrees(report["returns"], result):
        return False, f"{sizes} gives {result}, not {report['returns']}"
    return True, f"{sizes} in {seconds:.2f} s, of which {report['solving_seconds'] * 1000:.1f} ms solving"


def main():
    pytrope = sys.argv[1]
    everything = "--all" in sys.argv[2:]
    good = total = 0
    for module, names in FAMILIES.items():
        for name in names if everything else names[:1]:
            total += 1
            ok, text = check(pytrope, module, name)
            good += ok
            print(f"{'ok  ' if ok else 'FAIL'} {name}: {text}", flush=True)
    print(f"ok {good} of {total}")
    return 0 if good == total else 1


if __name__ == "__main__":
    sys.exit(main())
