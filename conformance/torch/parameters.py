"""Holds the parameters of `forward` in the models of layers, and of functions that say so, to those of the installed PyTorch.

    target/venvs/torch-current/bin/python conformance/torch/parameters.py
    /usr/bin/python3 conformance/torch/parameters.py

A model may take what another release takes (`is_causal`); it takes everything that this one does, under the same names.
"""

import ast
import inspect
from pathlib import Path

import torch

PACKAGE = Path(__file__).resolve().parents[2] / "crates/pytrope_models/python/third_party/torch"
MODELS = PACKAGE / "nn"
# Bases that nothing is made of.
BASES = {"Module", "RNNBase", "RNNCellBase"}


def modelled_classes():
    """The bases and the own `forward` of each class of the models."""
    classes = {}
    for path in sorted(MODELS.glob("_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                own = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "forward"]
                classes[node.name] = ([base.id for base in node.bases if isinstance(base, ast.Name)], own)
    return classes


def inherited_forward(classes, name):
    while name in classes:
        bases, own = classes[name]
        if own:
            return own[0].args
        name = bases[0] if bases else None
    return None


def refuses_parameter(taken, parameter):
    """What a model does not take though the library does."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return taken.vararg is None
    if parameter.kind is parameter.VAR_KEYWORD:
        return taken.kwarg is None
    names = [argument.arg for argument in taken.args + taken.kwonlyargs]
    return parameter.name not in names and not (taken.vararg and taken.kwarg)


def differences(classes):
    for name in sorted(set(classes) - BASES):
        library = getattr(torch.nn, name, None)
        taken = inherited_forward(classes, name)
        if library is None or taken is None:
            continue
        parameters = list(inspect.signature(library.forward).parameters.values())[1:]
        for parameter in parameters:
            if refuses_parameter(taken, parameter):
                yield f"{name}.forward: {parameter}"
        required = [argument.arg for argument in taken.args[1 : len(taken.args) - len(taken.defaults)]]
        optional = [parameter.name for parameter in parameters if parameter.default is not parameter.empty]
        for argument in set(required) & set(optional):
            yield f"{name}.forward: {argument} has a default"


def exact_functions():
    """The functions of the models that a module lists in `_pytrope_exact`, by their file and name."""
    for path in sorted(PACKAGE.rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        listed = [node.value for node in body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_pytrope_exact"]
        names = ast.literal_eval(listed[0]) if listed else ()
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name in names:
                yield path, node


def public_names(path, name):
    """Under which names of the package and of its functions a function of the models is found."""
    for module, library in ((PACKAGE / "__init__.py", torch), (MODELS / "functional.py", torch.nn.functional)):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.level:
                base = module.parents[node.level - 1] / f"{(node.module or '').replace('.', '/')}.py"
                for alias in node.names:
                    public = alias.asname or alias.name
                    if base == path and alias.name == name and hasattr(library, public):
                        yield f"{library.__name__}.{public}", getattr(library, public)


def function_differences():
    for path, node in exact_functions():
        for public, function in public_names(path, node.name):
            parameters = list(inspect.signature(function).parameters.values())
            for parameter in parameters:
                if refuses_parameter(node.args, parameter):
                    yield f"{public}: {parameter}"
            by_position = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
            taken = [argument.arg for argument in node.args.args]
            if by_position != taken[: len(by_position)]:
                yield f"{public}: {by_position} are {taken}"
            required = taken[: len(taken) - len(node.args.defaults)]
            if any(one.name in required and one.default is not one.empty for one in parameters):
                yield f"{public}: an argument has a default"


found = [*differences(modelled_classes()), *function_differences()]
print(f"PyTorch {torch.__version__}: {len(found)} parameters that a model refuses")
if found:
    raise SystemExit("\n".join(found))
