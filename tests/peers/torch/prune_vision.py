"""Pruned models of torchvision give the same outputs as torchvision's own.

    /usr/bin/python3 tests/peers/torch/prune_vision.py PYTROPE [NAME …]

Each model is pruned from torchvision's source for images of three colours; the changed files are laid over a copy of the
package, and both are run in processes of their own with the same seeds on images of several sizes, training and not. The
last line is `N passed, M failed`.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import torchvision

SQUARE = "x.ndim == 4 and x.shape[0] >= 2 and x.shape[1] == 3"

# The model, what is assumed of its image, sizes of images, and whether a branch must go.
MODELS = {
    "alexnet": (SQUARE + " and x.shape[2] >= 63 and x.shape[3] >= 63", [(2, 64, 80), (3, 90, 70)], False),
    "densenet121": (SQUARE + " and x.shape[2] >= 64 and x.shape[3] >= 64", [(2, 64, 64), (2, 70, 64)], False),
    "googlenet": (SQUARE + " and x.shape[2] >= 64 and x.shape[3] >= 64", [(2, 64, 64), (2, 96, 80)], False),
    "inception_v3": (SQUARE + " and x.shape[2] >= 75 and x.shape[3] >= 75", [(2, 75, 80), (2, 96, 75)], False),
    "shufflenet_v2_x0_5": (SQUARE + " and x.shape[2] >= 32 and x.shape[3] >= 32", [(2, 32, 40), (3, 64, 33)], False),
    "vit_b_32": (SQUARE + " and x.shape[2] == 224 and x.shape[3] == 224", [(2, 224, 224)], False),
    # In small images the last windows cover everything, so one size decides the branch both ways.
    "swin_t": (SQUARE + " and x.shape[2] == 64 and x.shape[3] == 64", [(2, 64, 64), (3, 64, 64)], False),
    "swin_s": (SQUARE.replace("2", "1", 1) + " and x.shape[2] == 448 and x.shape[3] == 448", [(1, 448, 448)], True),
}

RUN = """
import hashlib, random, sys
sys.path.insert(0, sys.argv[1])
import torch, torchvision
assert torchvision.__file__.startswith(sys.argv[1]), torchvision.__file__
torch.manual_seed(0)
model = torchvision.models.NAME(OPTIONS)

def digest(value):
    if isinstance(value, torch.Tensor):
        return f"{tuple(value.shape)} {hashlib.sha256(value.contiguous().numpy().tobytes()).hexdigest()[:16]}"
    return [digest(part) for part in value] if isinstance(value, (tuple, list)) else repr(value)

for rows, height, width in SIZES:
    image = torch.rand(rows, 3, height, width)
    for training in MODES:
        model.train(training)
        torch.manual_seed(rows)
        random.seed(rows)
        with torch.no_grad():
            print(digest(model(image)))
"""


def outputs(name, options, sizes, modes, folder):
    code = RUN.replace("NAME", name).replace("OPTIONS", options).replace("SIZES", repr(sizes)).replace("MODES", modes)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(folder)], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else "error: " + done.stderr.strip()[-400:]


def linked(source, folder):
    for path in source.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            link = folder / path.relative_to(source.parent)
            link.parent.mkdir(parents=True, exist_ok=True)
            os.symlink(path, link)


def check(pytrope, name):
    assumption, sizes, must_lose = MODELS[name]
    package = Path(torchvision.__file__).resolve().parent
    # Auxiliary classifiers need larger images than are worth running here.
    options = "aux_logits=False, init_weights=False" if name in ("googlenet", "inception_v3") else ""
    command = [pytrope, "prune", "torchvision.models", "--entry", f"{name}({options})", "--python", str(package.parent)]
    command += ["--assume", assumption, "--output-format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if answer.returncode != 0:
        return f"exit code {answer.returncode}: {answer.stderr.strip()}", ""
    report = json.loads(answer.stdout)
    counts = report["shape_branches"]
    text = f"{counts['source']} branches on shapes in {counts['instances']} calls, {counts['remaining']} remain"
    text += f"; {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f} s of CPU"
    gone = sum(branch["decision"] != "keep" for branch in report["branches"])
    if must_lose and gone == 0:
        return "no branch went", text
    # What comes from a library belongs below the folder of its package.
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as other:
        own, other = Path(own).resolve(), Path(other).resolve()
        linked(package, own)
        linked(package, other)
        for file in report["files"]:
            path = other / file["path"]
            path.unlink()
            path.write_text(file["source"], encoding="utf-8")
        was = outputs(name, options, sizes, "(False, True)", own)
        now = outputs(name, options, sizes, "(False, True)", other)
    if was.startswith("error") or was != now:
        return f"{was.strip()} became {now.strip()}", text
    return "", f"{text}; {len(was.splitlines())} outputs are equal"


def main():
    passed = failed = 0
    for name in sys.argv[2:] or MODELS:
        wrong, text = check(sys.argv[1], name)
        passed += not wrong
        failed += bool(wrong)
        print(f"{'FAIL' if wrong else 'ok  '} {name}: {text} {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
