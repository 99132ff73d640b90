"""Are the styles of `pytrope migrate` accepted by the tools that they are for?

    PYTHONPATH=…/torch-current/… ENVIRONMENT/bin/python tests/peers/torch/styles.py PYTROPE

For each program: the annotated file under jaxtyping and beartype takes the sizes of the general type and refuses others;
Pyrefly accepts the annotated file; `torch.export` takes the `dynamic_shapes` and `torch.onnx.export` the `dynamic_axes`,
and what they make runs with other sizes; the asserted file refuses what the assertions exclude. The last line is
`N right, M wrong`.
"""

import contextlib
import importlib.util
import io
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import traceback
import warnings

import torch

PROGRAMS = {
    "lenet": (pathlib.Path("examples/lenet.py").read_text(), "LeNet", [(2, 3, 32, 32), (3, 3, 33, 32)], [(2, 1, 32, 32), (2, 3, 32)]),
    "unet": (
        textwrap.dedent(
            """
            import torch
            from torch import nn


            class UNet(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.down = nn.Conv2d(3, 8, 2, stride=2)
                    self.up = nn.ConvTranspose2d(8, 3, 2, stride=2)

                def forward(self, x):
                    return x + self.up(torch.relu(self.down(x)))
            """
        ),
        "UNet",
        [(2, 3, 64, 64), (3, 3, 32, 48)],
        [(2, 4, 64, 64), (2, 3, 64)],
    ),
    "attention": (
        textwrap.dedent(
            """
            from torch import nn


            class Attention(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.qkv = nn.Linear(32, 96)
                    self.out = nn.Linear(32, 32)

                def forward(self, x):
                    b, n, _ = x.shape
                    q, k, v = self.qkv(x).view(b, n, 3, 4, 8).permute(2, 0, 3, 1, 4)
                    weights = (q @ k.transpose(-2, -1)).softmax(-1)
                    return self.out((weights @ v).transpose(1, 2).reshape(b, n, 32))
            """
        ),
        "Attention",
        [(2, 5, 32), (3, 7, 32)],
        [(2, 5, 31), (2, 32)],
    ),
}


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def runs(model, shape):
    try:
        with torch.no_grad():
            model(torch.rand(shape))
        return True
    except Exception:
        return False


def styled(pytrope, source, entry, style):
    command = [pytrope, "migrate", str(source), "--entry", entry + "()", "--style", style]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def judge_jaxtyping(pytrope, source, entry, good, bad, folder):
    text = styled(pytrope, source, entry, "jaxtyping")
    path = folder / f"{source.stem}_jaxtyping.py"
    path.write_text(text.replace("    def forward(", "    @__import__('jaxtyping').jaxtyped(typechecker=__import__('beartype').beartype)\n    def forward("))
    model = getattr(load(path), entry)()
    assert "jaxtyping" in text, "nothing was annotated"
    assert all(runs(model, shape) for shape in good), "a size of the type is refused"
    assert not any(runs(model, shape) for shape in bad), "a size outside is taken"


def judge_pyrefly(pytrope, source, entry, good, bad, folder):
    path = folder / f"{source.stem}_pyrefly.py"
    path.write_text(styled(pytrope, source, entry, "pyrefly"))
    beside = [place for place in sys.path if place.endswith("site-packages")]
    command = [str(pathlib.Path(sys.executable).parent / "pyrefly"), "check", "--python-version", "3.12", *[part for place in beside for part in ("--site-package-path", place)], str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-600:] + done.stderr[-300:]


def judge_export(pytrope, source, entry, good, bad, folder):
    text = styled(pytrope, source, entry, "export")
    names = {}
    exec(text, names)
    model = getattr(load(source), entry)().eval()
    exported = torch.export.export(model, (torch.rand(good[0]),), dynamic_shapes=names["dynamic_shapes"])
    assert all(runs(exported.module(), (shape[0], *good[0][1:])) for shape in good), "the exported program refuses a size of the type"


def judge_onnx(pytrope, source, entry, good, bad, folder):
    text = styled(pytrope, source, entry, "onnx")
    names = {}
    exec(text, names)
    model = getattr(load(source), entry)().eval()
    path = folder / f"{source.stem}.onnx"
    torch.onnx.export(model, (torch.rand(good[0]),), str(path), dynamo=False, input_names=names["input_names"], dynamic_axes=names["dynamic_axes"])
    import onnx

    made = onnx.load(str(path))
    onnx.checker.check_model(made)
    sizes = [dim.dim_param or dim.dim_value for dim in made.graph.input[0].type.tensor_type.shape.dim]
    wanted = names["dynamic_axes"]["x"]
    assert all(sizes[axis] == name for axis, name in wanted.items()), f"{sizes} against {wanted}"


def judge_asserts(pytrope, source, entry, good, bad, folder):
    path = folder / f"{source.stem}_asserts.py"
    path.write_text(styled(pytrope, source, entry, "asserts"))
    model = getattr(load(path), entry)()
    assert all(runs(model, shape) for shape in good), "a size of the type is refused"
    for shape in bad:
        try:
            model(torch.rand(shape))
        except AssertionError:
            continue
        raise AssertionError(f"{shape} is not refused by an assertion")


def main():
    pytrope = sys.argv[1]
    right, wrong = 0, 0
    judges = {"jaxtyping": judge_jaxtyping, "pyrefly": judge_pyrefly, "export": judge_export, "onnx": judge_onnx, "asserts": judge_asserts}
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name, (text, entry, good, bad) in PROGRAMS.items():
            source = folder / f"{name}.py"
            source.write_text(text)
            for style, judge in judges.items():
                shown = io.StringIO()
                try:
                    with warnings.catch_warnings(), contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
                        warnings.simplefilter("ignore")
                        judge(pytrope, source, entry, good, bad, folder)
                    right += 1
                except Exception:
                    wrong += 1
                    print(f"{name} {style}: {traceback.format_exc()[-700:]}", flush=True)
    print(f"{right} right, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
