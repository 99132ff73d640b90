"""The names and constructors that PyTorch and NumPy have in some release: writes crates/pytrope_models/src/library_names.txt and
library_signatures.txt.

A name that is not listed for a module or class is missing in every release. Asked are the installed releases that are given (what their
objects have, and their sources), and for those between them the sources and stubs of wheels, which are read and never run:

    python3 conformance/library/names.py --with /usr/bin/python3 --with target/venvs/torch-current/bin/python --wheels FOLDER
    target/venvs/torch-current/bin/python conformance/library/names.py --check    # this release has no name that the tables lack

A line of the first table is a module or class and its names; a line of the second is a class and one way that releases have declared its
constructor, the latest first: `*` before a name says that it is required, `/` ends those by position, `|` begins those by keyword
alone, `...` takes any more by position and `**` any more by keyword.
"""

import argparse
import ast
import importlib
import os
import re
import subprocess
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAMES = os.path.join(ROOT, "crates/pytrope_models/src/library_names.txt")
SIGNATURES = os.path.join(ROOT, "crates/pytrope_models/src/library_signatures.txt")

MODULES = """
torch torch.nn torch.nn.functional torch.nn.init torch.optim torch.optim.lr_scheduler torch.linalg torch.fft
numpy numpy.linalg numpy.fft
""".split()
CLASSES = ["torch.Tensor", "numpy.ndarray"]
# Every class that these modules show is listed too.
FAMILIES = {"torch.nn": "torch/nn/modules/", "torch.optim": "torch/optim/", "torch.optim.lr_scheduler": "torch/optim/"}

# What releases before the oldest wheel had, and what packages for other devices add under names of their own.
REMOVED = {"torch": ["legacy", "ffi", "btrifact_with_info", "is_signed_type"], "torch.Tensor": ["btrifact_with_info"]}
DEVICES = "npu mlu musa hpu gcu sdaa supa maca xla dml ipex vacc ptpu mtgpu tsm kpu vpu xmlir privateuseone privateuse1".split()
EXTENSIONS = DEVICES + ["is_" + name for name in DEVICES]
# What functions of PyTorch give to modules that they change: norms, pruning, parametrizations, compilation, quantization.
REWRITTEN = """weight_g weight_v weight_orig weight_u weight_mask bias_mask bias_orig bias_g bias_v parametrizations _orig_mod
dynamo_ctx module code graph inlined_graph save save_to_buffer code_with_constants graph_for qconfig activation_post_process
original original0 original1 device device_ids""".split()
EXTENDED = ["torch", "torch.Tensor", "torch.nn.Module"]

# Calls that give an object an attribute of the name they are given.
STORING = {"setattr", "getattr", "hasattr", "delattr", "register_buffer", "register_parameter", "register_module", "add_module"}
STORING |= {"__setattr__", "set_attr", "pop", "setdefault", "get"}


class Folder:
    """An installed package."""

    def __init__(self, root):
        self.root = root
        self.paths = []
        for package in ("torch", "numpy"):
            for folder, _, files in os.walk(os.path.join(root, package)):
                self.paths += [os.path.relpath(os.path.join(folder, name), root) for name in files]

    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
            return file.read()


class Wheel:
    """A wheel that is read where it lies."""

    def __init__(self, path):
        self.archive = zipfile.ZipFile(path)
        self.paths = self.archive.namelist()

    def text(self, path):
        return self.archive.read(path).decode("utf-8", "replace")


def bound_names(text):
    """The names that a module may bind at its top: definitions, assignments, imports, and every text that is a name (`__all__`)."""
    names = set(re.findall(r"^ *(?:async def|def|class) (\w+)", text, re.M)) | set(re.findall(r"^ {0,8}(\w+)\s*(?::[^=\n]+)?=(?!=)", text, re.M))
    names |= set(re.findall(r"['\"]([A-Za-z_]\w*)['\"]", text)) | set(re.findall(r"^ {0,4}(\w+)\s*:", text, re.M))
    for imported in re.findall(r"^ *(?:from \S+ )?import ([\w, .]+|\([^)]*\))", text, re.M):
        names.update(re.findall(r"\w+", imported))
    return names


def star_imports(text):
    return [(len(dots), module) for dots, module in re.findall(r"^ *from (\.*)([\w.]*) import \*", text, re.M)]


class Release:
    """What the files of one release say."""

    def __init__(self, source):
        self.source = source
        self.paths = set(source.paths)
        self.trees = {}
        self.classes = {}

    def tree(self, path):
        if path not in self.trees:
            try:
                self.trees[path] = ast.parse(self.source.text(path))
            except SyntaxError:
                self.trees[path] = ast.parse("")
        return self.trees[path]

    def files_of(self, module):
        base = module.replace(".", "/")
        ends = ("/__init__.py", "/__init__.pyi", ".py", ".pyi")
        return [base + end for end in ends if base + end in self.paths]

    def module_names(self, module, seen=()):
        names = set()
        for path in self.files_of(module):
            text = self.source.text(path)
            names |= bound_names(text)
            package = module if "__init__" in path else module.rpartition(".")[0]
            for level, target in star_imports(text):
                base = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                dotted = ".".join([*base, *([target] if target else [])])
                if dotted not in (*seen, module):
                    names |= self.module_names(dotted, (*seen, module))
        folder = module.replace(".", "/") + "/"
        inside = (path[len(folder) :] for path in self.paths if path.startswith(folder))
        names.update(re.split(r"[/.]", path)[0] for path in inside)
        if module == "torch":
            for more in ("torch._C._VariableFunctions", "torch._C", "torch.functional", "torch._tensor_str"):
                names |= self.module_names(more, (*seen, module))
        for docs in ("torch/_torch_docs.py", "torch/linalg/__init__.py", "torch/fft/__init__.py"):
            if docs in self.paths and module.startswith("torch"):
                names.update(re.findall(rf"\b{re.escape(module)}\.(\w+)", self.source.text(docs)))
        if module.startswith("numpy"):
            for path in self.paths:
                if re.search(r"numpy/.*(add_newdocs\w*|_expired_attrs\w*|__init__)\.pyi?$", path) and "/tests/" not in path:
                    names |= set(re.findall(r"['\"]([A-Za-z_]\w*)['\"]", self.source.text(path)))
                elif re.fullmatch(r"numpy/(core|_core|lib|linalg|fft)/\w+\.py", path):
                    for listed in re.findall(r"__all__ *\+?= *\[[^\]]*\]", self.source.text(path)):
                        names |= set(re.findall(r"\w+", listed))
        return names

    def read_classes(self, folder):
        """The classes of a folder by name."""
        if folder not in self.classes:
            found = {}
            for path in sorted(self.paths):
                if re.fullmatch(re.escape(folder) + r"\w+\.py", path):
                    for node in self.tree(path).body:
                        if isinstance(node, ast.ClassDef):
                            found.setdefault(node.name, []).append(node)
            self.classes[folder] = found
        return self.classes[folder]

    def class_names(self, name, folder, seen=()):
        """The names that a class and its bases store or define; none if names are computed outside of nn.Module itself."""
        names = set()
        for node in self.read_classes(folder).get(name, []):
            for base in node.bases:
                text = base.id if isinstance(base, ast.Name) else getattr(base, "attr", "")
                if text and text not in (*seen, name):
                    more = self.class_names(text, folder, (*seen, name))
                    if more is None:
                        return None
                    names |= more
            own = stored_names(node, is_base=name in ("Module", "Optimizer", "LRScheduler", "_LRScheduler"))
            if own is None:
                return None
            names |= own
        return names

    def constructor(self, name, folder, seen=()):
        """The constructor of a class as one line, or None."""
        nodes = self.read_classes(folder).get(name, [])
        if len(nodes) != 1:
            return None
        node = nodes[0]
        for part in node.body:
            if isinstance(part, ast.Assign) and any(getattr(target, "id", "") == "__init__" for target in part.targets):
                return None
        inits = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
        if any(isinstance(part, ast.FunctionDef) and part.name == "__new__" for part in node.body) or node.keywords:
            return None
        if inits:
            return None if is_decorated(inits[-1]) else signature_line(inits[-1].args)
        for base in node.bases:
            text = base.id if isinstance(base, ast.Name) else ""
            if text and text not in (*seen, name):
                return self.constructor(text, folder, (*seen, name))
        return None

    def tensor_names(self):
        names = set()
        for path in ("torch/__init__.pyi", "torch/_C/__init__.pyi", "torch/tensor.py", "torch/_tensor.py"):
            if path in self.paths:
                text = self.source.text(path)
                names |= set(re.findall(r"^    (?:def )?(\w+) *[(:=]", text, re.M)) | set(re.findall(r"self\.(\w+)", text))
        if "torch/_tensor_docs.py" in self.paths:
            text = self.source.text("torch/_tensor_docs.py")
            names |= set(re.findall(r"add_docstr_all\(\s*['\"](\w+)", text)) | set(re.findall(r"\.(\w+)\(", text))
        return names

    def ndarray_names(self):
        names = set()
        for path in self.paths:
            if re.search(r"numpy/(.*add_newdocs\w*\.py|__init__\.pyi)$", path) and "/tests/" not in path:
                text = self.source.text(path)
                names |= set(re.findall(r"\(\s*'(\w+)'\s*,", text)) | set(re.findall(r"^ +def (\w+)", text, re.M))
        return names


def is_decorated(function):
    return any("deprecate" in ast.dump(decorator) or "wraps" in ast.dump(decorator) for decorator in function.decorator_list)


def stored_names(node, is_base):
    """What a class body stores; None if it stores under computed names and is not one whose calls are followed one by one."""
    names = set()
    for part in ast.walk(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(part.name)
        elif isinstance(part, ast.Attribute):
            of_self = isinstance(part.value, ast.Name) and part.value.id in ("self", "cls", "module", "mod", "obj", "optimizer")
            if of_self or isinstance(part.ctx, ast.Store):
                names.add(part.attr)
        elif isinstance(part, ast.Call):
            called = getattr(part.func, "attr", getattr(part.func, "id", ""))
            if called in STORING:
                texts = [arg.value for arg in part.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
                names.update(texts)
                if not texts and not is_base and called in {"setattr", "register_buffer", "register_parameter", "register_module", "add_module", "__setattr__"}:
                    return None
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and re.fullmatch(r"[A-Za-z_]\w*", part.value):
            # A name in a text may be one that is stored by it: `__constants__`, state dictionaries, loops over attributes.
            if not is_base:
                names.add(part.value)
    for part in node.body:
        for target in [getattr(part, "target", None), *getattr(part, "targets", [])]:
            if isinstance(target, ast.Name):
                names.add(target.id)
    return names


def signature_line(arguments):
    """The parameters of a constructor without `self`."""
    first = [parameter.arg for parameter in arguments.posonlyargs]
    regular = [parameter.arg for parameter in arguments.args]
    required = len(first) + len(regular) - len(arguments.defaults)
    parts = []
    for at, name in enumerate(first + regular):
        if at > 0:
            parts.append(("*" if at < required else "") + name)
        if first and at == len(first) - 1:
            parts.append("/")
    if arguments.vararg:
        parts.append("...")
    if arguments.kwonlyargs:
        parts.append("|")
        for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
            parts.append(("*" if default is None else "") + parameter.arg)
    if arguments.kwarg:
        parts.append("**")
    return " ".join(parts)


# What an interpreter runs to print what its modules and classes have.
PROBE = """
import importlib, os, sys
import numpy, torch
more = set()
print("root", *sorted({os.path.dirname(os.path.dirname(package.__file__)) for package in (numpy, torch)}))
for key in sys.argv[1:]:
    owner, _, name = key.rpartition(".")
    try:
        found = importlib.import_module(key)
    except ImportError:
        found = getattr(importlib.import_module(owner), name)
    extra = set()
    if key == "torch.Tensor":
        extra = set(dir(torch.nn.Parameter)) | set(dir(torch.zeros(1)))
    if key == "torch.nn":
        # What modules are wrapped in or turned into has names of its own, and the models go on with the module.
        import torch.fx, torch.jit
        for kind in (torch.jit.ScriptModule, torch.jit.RecursiveScriptModule, torch.fx.GraphModule, torch.nn.DataParallel):
            more |= set(dir(kind))
    if key == "numpy.ndarray":
        extra = set(dir(numpy.zeros(1))) | set(dir(numpy.matrix)) | set(dir(numpy.recarray))
    print(key, *sorted(set(dir(found)) | extra))
    if key in ("torch.nn", "torch.optim", "torch.optim.lr_scheduler"):
        for name in sorted(dir(found)):
            value = getattr(found, name)
            if isinstance(value, type):
                print(key + "." + name, *sorted(set(dir(value)) | (more if name == "Module" else set())))
"""


def runtime_names(python):
    """Key by key, what an interpreter has, and the folders of the packages."""
    answer = subprocess.check_output([python, "-W", "ignore", "-c", PROBE, *MODULES, *CLASSES], text=True)
    lines = [line.split(" ") for line in answer.splitlines()]
    return {line[0]: set(line[1:]) for line in lines[1:]}, lines[0][1:]


def version_of(path):
    found = re.search(r"-(\d+(?:\.\d+)*)", os.path.basename(path))
    return tuple(int(part) for part in found[1].split("."))


def collect(pythons, wheels):
    names, releases = {}, []
    for python in pythons:
        known, roots = runtime_names(python)
        for key, listed in known.items():
            names.setdefault(key, set()).update(listed)
        releases += [Release(Folder(root)) for root in roots]
    releases = [release for release in reversed(releases)]
    ordered = sorted(wheels, key=version_of, reverse=True)
    releases += [Release(Wheel(path)) for path in ordered]
    signatures = {}
    for release in releases:
        has_torch, has_numpy = "torch/__init__.py" in release.paths, "numpy/__init__.py" in release.paths
        for module in MODULES:
            if has_torch if module.startswith("torch") else has_numpy:
                names.setdefault(module, set()).update(release.module_names(module))
        if has_torch:
            names["torch.Tensor"] |= release.tensor_names()
        if has_numpy:
            names["numpy.ndarray"] |= release.ndarray_names()
        for family, folder in FAMILIES.items():
            if not has_torch:
                continue
            for key in [key for key in names if key.rpartition(".")[0] == family and key not in MODULES]:
                name = key.rpartition(".")[2]
                more = release.class_names(name, folder)
                if more is None:
                    names[key].add("*")
                else:
                    names[key] |= more
                if release.read_classes(folder).get(name):
                    line = release.constructor(name, folder)
                    known = signatures.setdefault(key, [])
                    if line not in known:
                        known.append(line)
    for key in EXTENDED:
        names[key].update(EXTENSIONS)
    names["torch.nn.Module"].update(REWRITTEN)
    for key, more in REMOVED.items():
        names[key].update(more)
    complete = {key: sorted(listed) for key, listed in names.items() if "*" not in listed}
    return complete, {key: lines for key, lines in signatures.items() if lines and None not in lines and not any("... **" in line for line in lines)}


def check(python):
    """Whether an interpreter has a name that the table lacks."""
    with open(NAMES, encoding="utf-8") as file:
        listed = {line.split(" ")[0]: set(line.split()[1:]) for line in file if not line.startswith("#")}
    failed = False
    for key, names in runtime_names(python)[0].items():
        more = sorted(name for name in names - listed.get(key, names) if not name.startswith("__"))
        if more:
            print(f"{key} has names that the table lacks: {' '.join(more)}")
            failed = True
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--with", dest="pythons", action="append", default=[])
    parser.add_argument("--wheels")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        sys.exit(check(sys.executable))
    wheels = [os.path.join(options.wheels, name) for name in os.listdir(options.wheels) if name.endswith(".whl")]
    names, signatures = collect(options.pythons, wheels)
    with open(NAMES, "w", encoding="utf-8") as file:
        for key in sorted(names):
            kept = [name for name in names[key] if re.fullmatch(r"[A-Za-z_]\w*", name) and not (name.startswith("__") and name.endswith("__"))]
            file.write(" ".join([key, *kept]) + "\n")
    with open(SIGNATURES, "w", encoding="utf-8") as file:
        for key in sorted(signatures):
            for line in signatures[key]:
                file.write(f"{key} {line}".rstrip() + "\n")


if __name__ == "__main__":
    main()
