"""Draws calls at random from what a library offers, runs them, and keeps those that work, with uses of their results."""

import contextlib
import functools
import importlib
import inspect
import io
import re
import types
import warnings

import pools

STANDARD = ["math", "itertools", "functools", "collections", "operator", "statistics", "bisect", "copy", "json", "os.path", "random", "string",
            "textwrap", "fractions", "decimal", "heapq", "re", "datetime", "calendar", "enum", "dataclasses", "contextlib", "types", "inspect"]  # fmt: skip
# They wait, write, end the process, run code, or depend on what else is there.
LEFT_OUT = {
    "input", "exit", "quit", "breakpoint", "open", "help", "exec", "eval", "compile", "print", "license", "credits", "copyright", "save", "savez", "savetxt",
    "savez_compressed", "fromfile", "tofile", "memmap", "load", "loadtxt", "genfromtxt", "DataSource", "show_config", "show_runtime", "test", "info", "lookfor", "source",
    "dump", "dumps", "currentframe", "set_printoptions", "seterr", "seterrcall", "setbufsize", "set_num_threads", "set_default_dtype", "manual_seed",
    "set_default_tensor_type", "set_default_device", "set_grad_enabled", "use_deterministic_algorithms", "set_num_interop_threads", "compile_", "repeat", "count", "cycle",
    "from_file", "share_memory_", "record_stream", "backward", "set_flush_denormal", "set_warn_always", "set_deterministic_debug_mode", "__import__",
    "set_state", "set_string_function", "stack_", "getmodule", "getsourcefile", "globals", "locals", "vars", "dir", "id", "memoryview", "object_", "seed", "getcwd", "abspath",
    "fork_rng", "init_num_threads", "set_rng_state", "_set_deterministic", "segment_reduce", "set_", "map_", "map2_", "get_device", "module_load", "unsafe_chunk", "hash",
}  # fmt: skip


def public(module):
    for name in sorted(getattr(module, "__all__", None) or dir(module)):
        if not name.startswith("_") and name not in LEFT_OUT and callable(getattr(module, name, None)):
            yield name


@functools.cache
def parameters(function):
    """Names of parameters, from the signature or from what the documentation starts with."""
    try:
        found = inspect.signature(function).parameters.values()
        return tuple((p.name, p.default is p.empty, p.kind) for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name != "self")
    except (TypeError, ValueError):
        pass
    first = re.search(r"\w+\(([^)]*)\)", getattr(function, "__doc__", None) or "")
    if not first:
        return (("x", True, inspect.Parameter.POSITIONAL_OR_KEYWORD),) * 2
    made, keyword = [], False
    for part in re.split(r",(?![^(\[]*[)\]])", first.group(1)):
        name = re.match(r"\s*(?:[\w.|\[\]]+\s+)?(\w+)\s*(=?)", part.strip("[] /"))
        if part.strip() == "*":
            keyword = True
        elif name and name.group(1) not in ("self",):
            kind = inspect.Parameter.KEYWORD_ONLY if keyword else inspect.Parameter.POSITIONAL_OR_KEYWORD
            made.append((name.group(1), not name.group(2), kind))
    return tuple(made) or (("x", True, inspect.Parameter.POSITIONAL_OR_KEYWORD),)


def targets(library):
    """(how it is written, the callable, expressions for the object it is called on or None)."""
    if library == "builtins":
        import builtins

        found = [(name, getattr(builtins, name), None) for name in public(builtins)]
        values = {"str": pools.STRINGS, "list": pools.LISTS, "tuple": pools.TUPLES, "dict": ["{}", "{'a': 1, 'b': 2}", "{1: [2]}"], "int": pools.INTS,
                  "float": pools.FLOATS, "set": ["{1, 2}", "set()", "{'a'}"], "bytes": ["b'ab'", "b''"], "frozenset": ["frozenset([1])"], "complex": ["1j"],
                  "range": ["range(3)"], "bytearray": ["bytearray(b'ab')"]}  # fmt: skip
        for kind, texts in values.items():
            for name in dir(getattr(builtins, kind)):
                if (not name.startswith("_") or name in ("__add__", "__getitem__", "__contains__", "__eq__", "__len__", "__mul__", "__lt__", "__iter__")):
                    found.append((f".{name}", getattr(getattr(builtins, kind), name), texts))
        return [item for item in found if callable(item[1])]
    if library == "standard":
        found = []
        for module in STANDARD:
            loaded = importlib.import_module(module)
            found += [(f"{module}.{name}", getattr(loaded, name), None) for name in public(loaded)]
        return found
    if library == "numpy":
        import numpy as np

        found = [(f"np.{name}", getattr(np, name), None) for name in public(np)]
        for part in ("linalg", "fft", "random"):
            found += [(f"np.{part}.{name}", getattr(getattr(np, part), name), None) for name in public(getattr(np, part)) if name[0].islower()]
        methods = [name for name in dir(np.ndarray) if not name.startswith("_") and name not in LEFT_OUT and callable(getattr(np.ndarray, name))]
        return found + [(f".{name}", getattr(np.ndarray, name), pools.NUMPY) for name in methods for _ in range(3)]
    import torch

    found = [(f"torch.{name}", getattr(torch, name), None) for name in dir(torch)
             if not name.startswith("_") and name not in LEFT_OUT and callable(getattr(torch, name)) and name[0].islower() and not name.startswith(("set_", "fbgemm", "quantiz", "cudnn", "miopen", "mkldnn"))]  # fmt: skip
    functional = torch.nn.functional
    found += [(f"torch.nn.functional.{name}", getattr(functional, name), None) for name in dir(functional)
              if not name.startswith("_") and name[0].islower() and isinstance(getattr(functional, name), (types.FunctionType, types.BuiltinFunctionType))]  # fmt: skip
    methods = [name for name in dir(torch.Tensor) if not name.startswith("_") and name not in LEFT_OUT and callable(getattr(torch.Tensor, name))]
    found += [(f".{name}", getattr(torch.Tensor, name), pools.TORCH) for name in methods]
    found += [(f"torch.nn.{name}", getattr(torch.nn, name), None) for name in dir(torch.nn) if name[0].isupper() and isinstance(getattr(torch.nn, name), type)]
    return found


def call(rng, target, library):
    """The text of one random call."""
    text, function, receivers = target
    given = parameters(function)
    if receivers is not None and given and given[0][0] in ("self", "input", "a"):
        given = given[1:]
    parts, by_name = [], False
    for name, needed, kind in given:
        if not needed and rng.random() < 0.6:
            by_name = True
            continue
        argument = pools.argument(rng, name, library)
        keyword_only = kind == inspect.Parameter.KEYWORD_ONLY
        positional_only = kind == inspect.Parameter.POSITIONAL_ONLY
        if positional_only and by_name:
            break
        if keyword_only or by_name or (rng.random() < 0.25 and not positional_only):
            by_name = True
            parts.append(f"{name}={argument}")
        else:
            parts.append(argument)
    if rng.random() < 0.15 and not by_name:
        parts.append(pools.argument(rng, "", library))
    written = f"{text}({', '.join(parts)})"
    return written if receivers is None else f"({rng.choice(receivers)}){written}"


def uses(rng, value, name, depth=0):
    """Statements that work on a value, so that a wrong idea of it is noticed."""
    made = []
    shape = getattr(value, "shape", None)
    if isinstance(value, bool) or value is None:
        return [f"{name} is None"]
    if isinstance(value, str):
        made += [f"{name}.upper()", f"{name} + 'x'"] + ([f"{name}[{len(value) - 1}]"] if value else [])
    elif isinstance(value, (int, float)) and not hasattr(value, "dtype"):
        made += [f"{name} + 1", f"abs({name})"]
    elif isinstance(value, (list, tuple)) and len(value) < 20:
        made.append(f"len({name})")
        if value and depth < 1:
            at = rng.randrange(len(value))
            made.append(f"{name}[{at}]")
            made += uses(rng, value[at], f"{name}[{at}]", depth + 1)
        if value:
            names = ", ".join(f"u{i}" for i in range(len(value)))
            made.append(f"{names}, = {name}" if len(value) == 1 else f"{names} = {name}")
    elif isinstance(value, dict) and value and len(value) < 20 and all(isinstance(key, (str, int)) for key in value):
        made.append(f"{name}[{rng.choice(list(value))!r}]")
    elif isinstance(shape, tuple) and all(type(size) is int for size in shape) and not isinstance(value, type):
        rank = ", ".join(f"d{i}" for i in range(len(shape)))
        made.append(f"{rank}{',' if len(shape) == 1 else ''} = {name}.shape" if shape else f"{name}.shape")
        if shape and all(shape) and "object" not in str(getattr(value, "dtype", "")):
            made.append(f"{name}[{', '.join(str(rng.choice([size - 1, -size])) for size in shape)}]")
    return made[:4]


def draw(seed, count, library):
    """Blocks of lines that run without an exception, about `count` of them."""
    import random

    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    space = {}
    exec(PRELUDES[library], space)  # noqa: S102
    everything = targets(library)
    kept = []
    while len(kept) < count:
        text = call(rng, rng.choice(everything), library)
        try:
            code = compile(text, "<call>", "eval")
            with warnings.catch_warnings(record=True), contextlib.redirect_stdout(io.StringIO()):
                value = eval(code, dict(space))  # noqa: S307
        except Exception:  # noqa: BLE001 - it is not a valid call
            continue
        except BaseException:  # noqa: BLE001
            continue
        block = [f"v = {text}"]
        try:
            possible = uses(rng, value, "v")
        except Exception:  # noqa: BLE001 - not even its shape can be asked for
            possible = []
        for use in possible:
            local = dict(space, v=value)
            try:
                exec(use, local)  # noqa: S102
            except Exception:  # noqa: BLE001
                continue
            block.append(use)
        if all(len(line) < 500 and line.isprintable() for line in block):
            kept.append(block)
    return kept


PRELUDES = {
    "builtins": "",
    "standard": "\n".join(f"import {module}" for module in STANDARD),
    "numpy": "import numpy as np",
    "torch": "import torch",
}
