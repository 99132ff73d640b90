"""Which public names of PyTorch are modelled: `target/venvs/torch-current/bin/python conformance/torch/names.py [--missing]`.

The names of `torch.Tensor`, `torch.nn.functional`, `torch.nn` and `torch` are read from the installed library, those of the models from
their files (nothing of the models is run). Names that give no tensors (types, settings, modules, exceptions) are listed apart.
"""

import ast
import inspect
import sys
from pathlib import Path

import torch

MODELS = Path(__file__).resolve().parents[2] / "crates/pytrope_models/python/third_party"


def bound_names(path):
    """The names that a model file binds at its top."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names


def classes(folder):
    """The classes of all model files in a folder, by name."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = node
    return found


def methods(name, known, seen=()):
    """The names that a model class and its bases bind."""
    node = known.get(name)
    if node is None or name in seen:
        return set()
    names = set()
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            names.add(part.name)
        elif isinstance(part, ast.Assign):
            names.update(target.id for target in part.targets if isinstance(target, ast.Name))
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            names.add(part.target.id)
    for base in node.bases:
        if isinstance(base, ast.Name):
            names |= methods(base.id, known, (*seen, name))
    return names


def gives_tensors(owner, name):
    """Whether a public name may give tensors: functions, methods, properties and modules with a forward do."""
    if name.startswith("_"):
        return False
    try:
        value = inspect.getattr_static(owner, name)
    except AttributeError:
        return False
    if inspect.ismodule(value) or isinstance(value, (torch.dtype, torch.layout, torch.memory_format, int, float, str, tuple, list, dict, set)):
        return False
    if inspect.isclass(value):
        return issubclass(value, torch.nn.Module)
    return callable(value) or isinstance(value, (property, staticmethod, classmethod)) or inspect.isgetsetdescriptor(value)


SURFACES = {
    "torch.Tensor": (torch.Tensor, lambda: methods("Tensor", classes(MODELS / "torch"))),
    "torch.nn.functional": (torch.nn.functional, lambda: bound_names(MODELS / "torch/nn/functional.py")),
    "torch.nn": (torch.nn, lambda: bound_names(MODELS / "torch/nn/__init__.py")),
    "torch": (torch, lambda: bound_names(MODELS / "torch/__init__.py")),
}


def counts():
    """For each surface, how many public names it has, and those that are not modelled."""
    for surface, (owner, modelled) in SURFACES.items():
        public = {name for name in dir(owner) if gives_tensors(owner, name)}
        yield surface, len(public), sorted(public - modelled())


def missing_lines():
    """The text of `missing.tsv`: surface, number of public names, and the names that are not modelled."""
    return [f"{surface}\t{total}\t{' '.join(missing)}\n" for surface, total, missing in counts()]


def main():
    show = "--missing" in sys.argv[1:]
    print(f"PyTorch {torch.__version__}")
    for surface, total, missing in counts():
        print(f"{surface}: {total - len(missing)} of {total} names modelled")
        if show:
            print("    " + " ".join(missing))


if __name__ == "__main__":
    main()
