"""What `pytrope migrate` answers for models of packages, and whether PyTorch agrees.

    ENVIRONMENT/bin/python tests/peers/torch/wild_models.py PYTROPE [--limit N] [--seed N] [--json FILE] PACKAGE …

Entries are the classes of modules that can be constructed, without arguments or with plain ones for the required
parameters, drawn by a seed. Every `static` answer is called in PyTorch with random inputs of these sizes and dtypes, and
the shapes of the result are compared. Every general type is sampled: sizes for which its relations hold must run (a
sample that raises is wrong), and sizes on its border for which they do not hold should raise (a type for which one runs is
narrower than it could be). The last lines are a table and `N right, M wrong`.
"""

import argparse
import collections
import contextlib
import importlib
import inspect
import io
import json
import pkgutil
import random
import resource
import signal
import subprocess
import sys
import warnings

import torch

# Values for required parameters of constructors, by parts of their names; the first that fits is taken.
ARGUMENTS = (
    ("image_size", 64),
    ("img_size", 64),
    ("patch_size", 8),
    ("num_tokens", 100),
    ("vocab", 100),
    ("num_classes", 10),
    ("n_classes", 10),
    ("classes", 10),
    ("heads", 4),
    ("head", 4),
    ("depth", 2),
    ("layers", 2),
    ("seq_len", 32),
    ("kernel", 3),
    ("stride", 1),
    ("padding", 1),
    ("group", 1),
    ("channels", 32),
    ("planes", 32),
    ("features", 32),
    ("filters", 32),
    ("chans", 32),
    ("dim", 32),
    ("size", 32),
    ("ratio", 2),
    ("drop", 0.0),
    ("num", 4),
)

VERDICTS = ("static", "partial", "ill-typed", "unknown", "refused", "timeout")

# What a call may take.
ENTRY_SECONDS = 20
ELEMENTS = 40_000_000


class TooLong(Exception):
    pass


@contextlib.contextmanager
def limited(seconds):
    def stop(*_):
        raise TooLong

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


@contextlib.contextmanager
def silenced():
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def modules_of(package):
    """The modules of a package that can be imported."""
    with silenced():
        top = importlib.import_module(package)
    yield top
    for found in pkgutil.walk_packages(getattr(top, "__path__", []), package + ".", onerror=lambda _: None):
        if found.name.endswith("__main__"):
            continue
        try:
            with silenced(), limited(20):
                yield importlib.import_module(found.name)
        except (Exception, SystemExit):
            continue


def constructor_of(cls):
    """An expression that constructs the class, or None."""
    try:
        parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    except (TypeError, ValueError):
        return None
    given = []
    for parameter in parameters:
        if parameter.default is not inspect.Parameter.empty or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        value = next((value for part, value in ARGUMENTS if part in parameter.name.lower()), None)
        if value is None:
            return None
        given.append(f"{parameter.name}={value}")
    return f"{cls.__name__}({', '.join(given)})"


def entries_of(package):
    seen = set()
    for module in modules_of(package):
        for name, cls in sorted(vars(module).items()):
            if not inspect.isclass(cls) or not issubclass(cls, torch.nn.Module) or cls.__module__ != module.__name__ or cls in seen:
                continue
            seen.add(cls)
            if name != cls.__name__ or cls.forward is torch.nn.Module.forward:
                continue
            expression = constructor_of(cls)
            if expression is not None:
                yield module.__name__, expression


def construct(module, expression):
    with silenced(), limited(ENTRY_SECONDS), torch.no_grad():
        return eval(expression, vars(sys.modules[module]))


def input_of(dims, dtype):
    kind = getattr(torch, dtype)
    if kind.is_floating_point or kind.is_complex:
        return torch.rand(dims, dtype=kind)
    return torch.zeros(dims, dtype=kind)


def elements(dims):
    count = 1
    for size in dims:
        count *= size
    return count


def shapes(value):
    if isinstance(value, torch.Tensor):
        return list(value.shape)
    if isinstance(value, dict):
        return {str(name): shapes(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [shapes(part) for part in value]
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return {name: shapes(part) for name, part in vars(value).items()}
    return None


def agrees(found, real):
    if found is None:
        return True
    if isinstance(found, dict) and "dims" in found and (found["dims"] is None or isinstance(found["dims"], list)):
        dims = found["dims"]
        if not isinstance(real, list) or any(not isinstance(size, int) for size in real):
            return False
        return dims is None or (len(dims) == len(real) and all(size in (None, own) for size, own in zip(dims, real)))
    if isinstance(found, dict):
        return isinstance(real, dict) and all(name in real and agrees(part, real[name]) for name, part in found.items())
    return isinstance(real, list) and len(found) == len(real) and all(agrees(part, own) for part, own in zip(found, real))


def call(module, expression, sizes, dtypes, values=None):
    """The shapes of the result, or the exception."""
    model = construct(module, expression)
    inputs = {name: input_of(dims, dtypes.get(name, "float32")) for name, dims in sizes.items()}
    inputs.update(values or {})
    with silenced(), limited(ENTRY_SECONDS), torch.no_grad():
        return shapes(model(**inputs))


def numbers_inside_and_outside(general, sample):
    """Sizes near the sample for which the relations hold, and sizes next to those for which they do not."""
    names = {}
    for parameter, sizes in general["parameters"].items():
        for size, number in zip(sizes, sample[parameter]):
            if isinstance(size, str) and size.isidentifier():
                names[size] = number
    if any(isinstance(size, str) and not size.isidentifier() for sizes in general["parameters"].values() for size in sizes):
        return [], []

    def holds(values):
        return all(value >= 1 for value in values.values()) and all(eval(relation, {}, dict(values)) for relation in general["relations"])

    inside, outside = [], []
    for name, number in names.items():
        for step in (1, -1, 2, -2, 32, -32):
            changed = {**names, name: number + step}
            if changed[name] < 1:
                continue
            (inside if holds(changed) else outside).append(changed)
    for factor in (2, 3):
        changed = {name: number * factor for name, number in names.items()}
        (inside if holds(changed) else outside).append(changed)
    return inside[:6], outside[:6]


def sampled(module, expression, general, sample, dtypes):
    """How many samples of a general type were judged, those inside that raise, and those outside that run."""
    wrong, narrow = [], []
    inside, outside = numbers_inside_and_outside(general, sample)
    judged = 0
    for values, should_run in [(values, True) for values in inside] + [(values, False) for values in outside]:
        sizes = {name: [size if isinstance(size, int) else values[size] for size in dims] for name, dims in general["parameters"].items()}
        if sum(elements(dims) for dims in sizes.values()) > ELEMENTS // 8:
            continue
        try:
            call(module, expression, sizes, dtypes)
            ran = True
        except (TooLong, MemoryError):
            continue
        except Exception as error:
            ran, why = False, error
        judged += 1
        if should_run and not ran:
            wrong.append(f"{sizes} raises {type(why).__name__}: {why}"[:300])
        if ran and not should_run:
            narrow.append(f"{sizes} runs")
    # A size that is a number is needed.
    for name, dims in general["parameters"].items():
        for axis, size in enumerate(dims):
            if not isinstance(size, int):
                continue
            sizes = {other: list(own) for other, own in sample.items()}
            sizes[name][axis] = size + 1
            try:
                call(module, expression, sizes, dtypes)
                narrow.append(f"{sizes} runs, though dimension {axis} of {name} is said to be {size}")
            except Exception:
                pass
            judged += 1
    return judged, wrong, narrow


def judge(pytrope, module, expression):
    """The verdict of an entry with what PyTorch says of it."""
    command = [pytrope, "migrate", module, "--entry", expression, "--python", sys.executable, "--output-format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return {"verdict": "timeout", "seconds": 60.0}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if answer.returncode not in (0, 1):
        return {"verdict": "refused", "reason": answer.stderr.strip()[:300], "seconds": seconds}
    report = json.loads(answer.stdout)
    result = {"verdict": report["verdict"], "seconds": seconds, "reason": "; ".join(each["message"] for each in report["diagnostics"])[:300]}
    if report["verdict"] != "static":
        return result
    sizes = {name: one["dims"] for name, one in report["parameters"].items()}
    dtypes = {name: one.get("dtype", "float32") for name, one in report["parameters"].items()}
    result["sizes"] = sizes
    if sum(elements(dims) for dims in sizes.values()) > ELEMENTS:
        result["judged"] = "too large to run"
        return result
    try:
        real = call(module, expression, sizes, dtypes, report.get("values"))
    except TooLong:
        result["judged"] = "too long to run"
        return result
    except Exception as error:
        result["judged"] = "wrong"
        result["why"] = f"{type(error).__name__}: {error}"[:300]
        return result
    if not agrees(report["returns"], real):
        result.update(judged="wrong", why=f"returns {real}, not {report['returns']}"[:300])
        return result
    result["judged"] = "right"
    if report.get("general"):
        result["general"] = report["general"]
        result["samples"], result["wrong_samples"], result["narrow"] = sampled(module, expression, report["general"], sizes, dtypes)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pytrope")
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--limit", type=int, default=60, help="entries of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", dest="kept", help="keep every answer in this file")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rows, kept, reasons = [], [], collections.Counter()
    for package in arguments.packages:
        try:
            entries = list(entries_of(package))
        except Exception as error:
            print(f"{package} cannot be imported: {error}")
            continue
        random.Random(arguments.seed).shuffle(entries)
        counts = collections.Counter()
        for module, expression in entries:
            if sum(counts[key] for key in VERDICTS) >= arguments.limit:
                break
            try:
                construct(module, expression)
            except (Exception, SystemExit):
                continue
            result = judge(arguments.pytrope, module, expression)
            counts[result["verdict"]] += 1
            counts[result.get("judged")] += 1
            counts["general"] += "general" in result
            counts["samples"] += result.get("samples", 0)
            counts["wrong samples"] += len(result.get("wrong_samples", []))
            counts["narrow"] += bool(result.get("narrow"))
            counts["slow"] += result["seconds"] > 2
            kept.append({"module": module, "entry": expression, **result})
            if result.get("judged") == "wrong":
                print(f"WRONG {module} {expression}: {result['sizes']} {result['why']}", flush=True)
            for text in result.get("wrong_samples", []):
                print(f"WRONG SAMPLE {module} {expression}: {text} ({result['general']})", flush=True)
            if result["verdict"] in ("unknown", "refused", "ill-typed"):
                reasons[result["verdict"] + ": " + result.get("reason", "")[:110]] += 1
        rows.append((package, counts))
        if arguments.kept:
            with open(arguments.kept, "w") as file:
                json.dump(kept, file, indent=1)
    columns = ("static", "right", "wrong", "partial", "ill-typed", "unknown", "refused", "timeout", "general", "samples", "wrong samples", "narrow", "slow")
    print("| package | entries | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    total = collections.Counter()
    for _, counts in rows:
        total.update(counts)
    for package, counts in [*rows, ("all", total)]:
        entries = sum(counts[key] for key in VERDICTS)
        print(f"| {package} | {entries} | " + " | ".join(str(counts[column]) for column in columns) + " |")
    for reason, count in reasons.most_common(25):
        print(f"{count:5} {reason}")
    print(f"{total['right']} right, {total['wrong'] + total['wrong samples']} wrong")
    return 1 if total["wrong"] or total["wrong samples"] else 0


if __name__ == "__main__":
    sys.exit(main())
