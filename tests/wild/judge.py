"""Judges findings of one file by running the real thing; run in a sandbox with the findings on standard input.

Reads {"path", "name", "roots", "site", "findings": [...]} and prints one JSON line {"verdicts": [[verdict, why], …]}.

- confirmed: Python raises that class at that operation;
- refuted: the name or attribute exists after import, the file compiles, the arguments bind, or the operation was run and raised nothing;
- not shown: neither.
"""

import ast
import builtins
import contextlib
import importlib
import importlib.util
import inspect
import io
import json
import linecache
import logging
import os
import random
import signal
import sys
import traceback
import warnings
from unittest.mock import MagicMock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import probe as probes  # noqa: E402
import sandbox  # noqa: E402
import stand_in  # noqa: E402
import watch  # noqa: E402

SECONDS_EACH = 2


class TooLong(BaseException):
    pass


@contextlib.contextmanager
def limited(seconds):
    def stop(_signal, _frame):
        raise TooLong

    old = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    except (TooLong, SystemExit, KeyboardInterrupt, sandbox.Refused):
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def load(job):
    """The module of the file, imported under its name; what went wrong otherwise."""
    error = None
    with limited(25):
        try:
            module = importlib.import_module(job["name"])
            if os.path.realpath(getattr(module, "__file__", None) or "") == os.path.realpath(job["path"]):
                return module, None
            sys.modules.pop(job["name"], None)
            spec = importlib.util.spec_from_file_location(job["name"], job["path"])
            module = importlib.util.module_from_spec(spec)
            sys.modules[job["name"]] = module
            spec.loader.exec_module(module)
            return module, None
        except BaseException as raised:  # noqa: BLE001 - whatever the import raises is looked at
            error = raised
    module = sys.modules.get(job["name"])
    return module, error or TooLong()


def makers():
    """Ways of making an argument, tried one after the other."""

    def mock(name):
        return MagicMock(name=name)

    numbers = random.Random(7)
    ways = [mock, lambda _: 3, lambda _: "a", lambda _: None, lambda _: [], lambda _: {}, lambda _: [1, 2], lambda _: 2.5, lambda _: True, lambda _: b"ab"]
    ways.append(lambda name: numbers.choice(ways[:10])(name))
    with contextlib.suppress(Exception):
        numpy = importlib.import_module("numpy")
        ways.append(lambda _: numpy.ones((2, 3)))
    return ways


def instance(cls):
    """An instance by the constructor if that can be called, else an empty one."""
    for make in makers()[:4]:
        with contextlib.suppress(Exception):
            return cls(*arguments_for(cls, make))
    with contextlib.suppress(Exception):
        return object.__new__(cls)
    return MagicMock(name="self")


def arguments_for(function, make, skip=0):
    made = []
    for parameter in list(inspect.signature(function).parameters.values())[skip:]:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD) and parameter.default is parameter.empty:
            made.append(make(parameter.name))
    return made


def found_scope(module, scopes):
    """The object of the innermost function or class that the module itself can reach, and the class around it."""
    owner, current = None, module
    for scope in scopes:
        try:
            following = inspect.getattr_static(current, scope.name)
        except AttributeError:
            return None, None
        following = getattr(following, "__func__", following)
        if isinstance(following, property):
            following = following.fget
        with contextlib.suppress(Exception):
            following = inspect.unwrap(following)
        owner, current = (current if inspect.isclass(current) else None), following
        if not inspect.isclass(current):
            break
    return current, owner


def drive(result):
    """Runs what a call of a generator or coroutine function gives."""
    if inspect.iscoroutine(result):
        with contextlib.suppress(StopIteration):
            result.send(None)
        result.close()
    elif inspect.isgenerator(result):
        for count, _ in enumerate(result):
            if count > 20:
                break
    elif inspect.isasyncgen(result):
        with contextlib.suppress(StopIteration, StopAsyncIteration):
            result.asend(None).send(None)


def call_for_real(module, scopes, finding, path):
    """Calls the function around the finding in several ways, under watch."""
    function, owner = found_scope(module, scopes)
    if function is None or not callable(function) or inspect.isclass(function):
        return None
    best = None
    for make in makers():
        watching = watch.Watch(path, finding)
        watching.start()
        try:
            with limited(SECONDS_EACH):
                try:
                    first = []
                    if owner is not None and list(inspect.signature(function).parameters)[:1] in (["self"], ["cls"]):
                        first = [owner if list(inspect.signature(function).parameters)[0] == "cls" else instance(owner)]
                    result = function(*first, *arguments_for(function, make, len(first)))
                    drive(result)
                except Exception:  # noqa: BLE001, S110 - the watch has seen it
                    pass
        finally:
            watching.stop()
        verdict = watching.verdict()
        if verdict and verdict[0] == "refuted":
            return verdict
        best = verdict if best is None or (verdict and verdict[0] == "confirmed") else best
    return best


def says(finding, error):
    return watch.agrees(finding, [base.__name__ for base in type(error).__mro__], str(error))


def line_of(error, path):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] if lines else None


def statement_alone(module, text, path, finding):
    """Runs the statements that lead to the finding with stand-ins for local names."""
    line = finding["line"]

    def for_scope(scopes, name):
        _, owner = found_scope(module, scopes) if module else (None, None)
        if owner is None:
            return MagicMock(name=name)
        return owner if name == "cls" else instance(owner)

    try:
        call = probes.build(text, path, line, finding["message"], for_scope)
    except (SyntaxError, ValueError, RecursionError) as error:
        return "not shown", f"the statement cannot be run by itself: {error}"
    said = None
    for make in makers():
        with limited(SECONDS_EACH):
            try:
                call(vars(module) if module else {}, make)
            except Exception as error:  # noqa: BLE001 - looked at
                inside = finding["span"][0] <= (line_of(error, path) or 0) <= finding["span"][2]
                # A name that an earlier statement would have bound, had it not failed here, shows nothing.
                certain = finding["code"] != "PT101" or not call.failed
                if inside and says(finding, error) and certain:
                    return "confirmed", f"alone: {type(error).__name__}: {error}"[:200]
                said = said or f"alone: {type(error).__name__}: {error}"[:160]
    return "not shown", said or "alone: nothing is raised"


def exists_after_import(module, scopes, finding):
    """A name or attribute that is said to be missing and is there."""
    message = finding["message"]
    names = watch.QUOTED.findall(message)
    if finding["code"] == "PT100" and names and module is not None:
        if names[0] in vars(module) or hasattr(builtins, names[0]):
            return "refuted", f"the name {names[0]} exists after import"
        for scope in scopes:
            if isinstance(scope, ast.ClassDef):
                break
    if finding["code"] == "PT102" and message.startswith("module ") and len(names) == 2:
        with contextlib.suppress(Exception):
            if hasattr(importlib.import_module(names[0]), names[1]):
                return "refuted", f"{names[0]} has {names[1]}"
    if finding["code"] == "PT102" and " object has no attribute " in message and len(names) == 2 and module is not None:
        cls = vars(module).get(names[0])
        if inspect.isclass(cls) and cls.__module__ != "builtins" and hasattr(cls, names[1]):
            return "refuted", f"the class {names[0]} has {names[1]}"
    if finding["code"] == "PT103" and len(names) >= 2:
        with contextlib.suppress(Exception):
            if hasattr(importlib.import_module(names[1]), names[0]):
                return "refuted", f"{names[1]} has {names[0]}"
    return None


def judge(job, module, error, watching, text, finding):
    if finding["raises"] == "SyntaxError":
        try:
            compile(job["bytes"], job["path"], "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as raised:
            return "confirmed", f"{type(raised).__name__}: {raised}"[:160]
        return "refuted", "the file compiles"
    seen = watching.verdict()
    if seen and seen[0] == "refuted":
        return seen
    shown = exists_after_import(module, probes.around(ast.parse(text), finding["line"]), finding) if error is None else None
    if shown:
        return shown
    if seen:
        return seen
    if error is not None and says(finding, error) and line_of(error, job["path"]) == finding["line"]:
        return "confirmed", f"import: {error}"[:160]
    scopes = probes.around(ast.parse(text), finding["line"])
    called = None
    if module is not None and scopes:
        called = call_for_real(module, scopes, finding, job["path"])
        if called and called[0] != "not shown":
            return called
    alone = statement_alone(module, text, job["path"], finding)
    if alone[0] == "not shown" and error is not None:
        return alone[0], f"{alone[1]}; import: {type(error).__name__}: {error}"[:300]
    return alone


def main():
    job = json.loads(sys.stdin.read())
    sys.path[:0] = [*job["roots"], *job["site"]]
    sys.argv = [job["path"]]
    warnings.simplefilter("ignore")
    logging.disable()
    sandbox.forbid()
    with open(job["path"], "rb") as file:
        job["bytes"] = file.read()
    verdicts = []
    if all(finding["raises"] == "SyntaxError" for finding in job["findings"]):
        verdicts = [judge(job, None, None, None, None, finding) for finding in job["findings"]]
        print(json.dumps({"verdicts": verdicts}))
        return
    text = importlib.util.decode_source(job["bytes"])
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        print(json.dumps({"verdicts": [["not shown", f"the file does not compile: {error}"]] * len(job["findings"])}))
        return
    stand_in.install({job["name"].split(".")[0]} if not job["alone"] else set())
    for finding in job["findings"]:
        sys.modules.pop(job["name"], None)
        linecache.clearcache()
        watching = watch.Watch(job["path"], finding)
        watching.start()
        module, error = load(job)
        watching.stop()
        try:
            verdict = judge(job, module, error, watching, text, finding)
        except Exception as problem:  # noqa: BLE001 - judged code may break the judge
            verdict = ("not shown", f"the judge failed: {type(problem).__name__}: {problem}"[:200])
        verdicts.append(verdict)
    used = sorted({name.split(".")[0] for name in stand_in.USED})
    print(json.dumps({"verdicts": verdicts, "stand_ins": used}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
