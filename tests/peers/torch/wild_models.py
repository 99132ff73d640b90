"""What `pytrope migrate` answers for models of packages, and whether PyTorch agrees.

    ENVIRONMENT/bin/python tests/peers/torch/wild_models.py PYTROPE [--limit N] [--seed N] [--json FILE] PACKAGE …

Entries are the classes of modules that can be constructed, without arguments, with plain ones for the required
parameters or with their configuration class, and what a package's own registry (`list_models`, `create_model`) offers,
drawn by a seed. Every `static` answer is called in PyTorch with random inputs of these sizes and dtypes, and the shapes of the
result are compared. Every general type is sampled: sizes for which its relations hold must run (a sample that raises is
wrong), and sizes on its border for which they do not hold should raise (a type for which one runs is narrower than it
could be). A package is imported in a process of its own, which forks one for every entry, with limits on time and memory.
The last lines are a table and `N right, M wrong`.
"""

import argparse
import ast
import collections
import contextlib
import importlib
import inspect
import io
import json
import os
import pkgutil
import random
import resource
import select
import signal
import subprocess
import sys
import time
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

# What a call and an answer may take in CPU time, which other work on the machine does not change; and an entry with all its calls.
ENTRY_SECONDS = 20
ANSWER_SECONDS = 20
ALL_SECONDS = 900
MEMORY = 3 << 30
ELEMENTS = 40_000_000


class TooLong(Exception):
    pass


@contextlib.contextmanager
def limited(seconds):
    def stop(*_):
        raise TooLong

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


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
        configuration = getattr(cls, "config_class", None)
        if parameter.name == "config" and inspect.isclass(configuration):
            if vars(sys.modules[cls.__module__]).get(configuration.__name__) is not configuration:
                return None
            given.append(f"{configuration.__name__}()")
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
    top = vars(sys.modules[package])
    if callable(top.get("list_models")) and callable(top.get("create_model")):
        for name in top["list_models"]():
            yield package, f"create_model({name!r})"


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


def arguments_of(model, inputs):
    """Inputs by name as arguments: `xs[0]` is a tensor of a list or of `*xs`, `x['image']` one of a dictionary."""
    positional, keywords, parts = [], {}, {}
    for name, value in inputs.items():
        base, bracket, key = name.partition("[")
        if bracket:
            parts.setdefault(base, {})[ast.literal_eval(key[:-1])] = value
        else:
            keywords[name] = value
    parameters = inspect.signature(model.forward if hasattr(model, "forward") else model).parameters
    for base, held in parts.items():
        if parameters[base].kind is inspect.Parameter.VAR_POSITIONAL:
            before = [name for name, parameter in parameters.items() if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and name in keywords]
            positional = [keywords.pop(name) for name in before] + list(held.values())
        elif all(isinstance(key, int) for key in held):
            wanted = tuple if "uple" in str(parameters[base].annotation) else list
            keywords[base] = wanted(held.values())
        else:
            keywords[base] = held
    return positional, keywords


def call(model, sizes, dtypes, values=None):
    """The shapes of the result, or the exception."""
    inputs = {name: input_of(dims, dtypes.get(name, "float32")) for name, dims in sizes.items()}
    inputs.update(values or {})
    positional, keywords = arguments_of(model, inputs)
    with silenced(), limited(ENTRY_SECONDS), torch.no_grad():
        return shapes(model(*positional, **keywords))


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


def sampled(model, general, sample, dtypes):
    """How many samples of a general type were judged, those inside that raise, and those outside that run."""
    wrong, narrow = [], []
    inside, outside = numbers_inside_and_outside(general, sample)
    judged = 0
    for values, should_run in [(values, True) for values in inside] + [(values, False) for values in outside]:
        sizes = {name: [size if isinstance(size, int) else values[size] for size in dims] for name, dims in general["parameters"].items()}
        if sum(elements(dims) for dims in sizes.values()) > ELEMENTS // 8:
            continue
        try:
            call(model, sizes, dtypes)
            ran = True
        except (TooLong, MemoryError):
            continue
        except Exception as error:
            if "can't allocate memory" in str(error):
                continue
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
                call(model, sizes, dtypes)
                narrow.append(f"{sizes} runs, though dimension {axis} of {name} is said to be {size}")
            except Exception:
                pass
            judged += 1
    return judged, wrong, narrow


def limit_answer():
    resource.setrlimit(resource.RLIMIT_CPU, (ANSWER_SECONDS, ANSWER_SECONDS))


def judge(pytrope, module, expression, model):
    """The verdict of an entry with what PyTorch says of it."""
    command = [pytrope, "migrate", module, "--entry", expression, "--python", sys.executable, "--output-format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit_answer)
    if answer.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"verdict": "timeout", "seconds": float(ANSWER_SECONDS)}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if answer.returncode not in (0, 1):
        return {"verdict": "refused", "reason": answer.stderr.strip()[-300:], "seconds": seconds}
    report = json.loads(answer.stdout)
    reasons = [each["message"] + "".join(f" [{other['path']}:{other['line']} {other['message']}]" for other in each.get("related", [])[:2]) for each in report["diagnostics"]]
    result = {"verdict": report["verdict"], "seconds": seconds, "reason": "; ".join(reasons)[:500]}
    if report["verdict"] != "static":
        return result
    sizes = {name: one["dims"] for name, one in report["parameters"].items()}
    dtypes = {name: one.get("dtype", "float32") for name, one in report["parameters"].items()}
    result["sizes"] = sizes
    if sum(elements(dims) for dims in sizes.values()) > ELEMENTS:
        return {**result, "judged": "too large to run"}
    try:
        real = call(model, sizes, dtypes, report.get("values"))
    except (TooLong, MemoryError):
        return {**result, "judged": "too long to run"}
    except Exception as error:
        if "can't allocate memory" in str(error):
            return {**result, "judged": "too large to run"}
        return {**result, "judged": "wrong", "why": f"{type(error).__name__}: {error}"[:300]}
    if not agrees(report["returns"], real):
        return {**result, "judged": "wrong", "why": f"returns {real}, not {report['returns']}"[:300]}
    result["judged"] = "right"
    if report.get("general"):
        result["general"] = report["general"]
        result["samples"], result["wrong_samples"], result["narrow"] = sampled(model, report["general"], sizes, dtypes)
    return result


def judge_alone(pytrope, module, expression):
    """What `judge` says, in a process of its own; None where the entry cannot be constructed within the limits."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.setpgid(0, 0)
        # A write that fails, as when the parent has gone, ends the child all the same.
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            model = construct(module, expression)
            os.write(writing, b"made\n")
            os.write(writing, json.dumps(judge(pytrope, module, expression, model)).encode())
        except BaseException as error:
            print(f"{module} {expression}: {type(error).__name__}: {error}"[:300], file=sys.stderr)
        finally:
            os._exit(0)
    os.close(writing)
    text, deadline = b"", time.monotonic() + ALL_SECONDS
    while select.select([reading], [], [], max(0, deadline - time.monotonic()))[0]:
        part = os.read(reading, 1 << 16)
        if not part:
            break
        text += part
    os.close(reading)
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitpid(process, 0)
    made, _, report = text.partition(b"\n")
    if not made:
        return None
    return json.loads(report) if report else {"verdict": "unknown", "seconds": 0.0, "reason": "the entry's own process was ended", "judged": "too long to run"}


def judge_package(arguments):
    """Judges the entries of one package; a line of JSON for each."""
    package = arguments.packages[0]
    random_entries = random.Random(arguments.seed)
    try:
        entries = list(entries_of(package))
    except Exception as error:
        print(f"{package} cannot be imported: {error}", file=sys.stderr)
        return 0
    random_entries.shuffle(entries)
    judged = 0
    for module, expression in entries:
        if judged >= arguments.limit:
            break
        result = judge_alone(arguments.pytrope, module, expression)
        if result is not None:
            judged += 1
            print(json.dumps({"module": module, "entry": expression, **result}), flush=True)
    return 0


def results_of(arguments, package):
    command = [sys.executable, __file__, arguments.pytrope, package, "--one", "--limit", str(arguments.limit), "--seed", str(arguments.seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            # Packages print while they are imported.
            if line.startswith('{"module"'):
                yield json.loads(line)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pytrope")
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--limit", type=int, default=60, help="entries of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", dest="kept", help="keep every answer in this file")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    if arguments.one:
        return judge_package(arguments)
    rows, kept, reasons = [], [], collections.Counter()
    for package in arguments.packages:
        counts = collections.Counter()
        for result in results_of(arguments, package):
            counts[result["verdict"]] += 1
            counts[result.get("judged")] += 1
            counts["general"] += "general" in result
            counts["samples"] += result.get("samples", 0)
            counts["wrong samples"] += len(result.get("wrong_samples", []))
            counts["narrow"] += bool(result.get("narrow"))
            counts["slow"] += result["seconds"] > 2
            kept.append(result)
            place = f"{result['module']} {result['entry']}"
            if result.get("judged") == "wrong":
                print(f"WRONG {place}: {result['sizes']} {result['why']}", flush=True)
            for text in result.get("wrong_samples", []):
                print(f"WRONG SAMPLE {place}: {text} ({result['general']})", flush=True)
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
