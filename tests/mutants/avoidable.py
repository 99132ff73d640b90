"""Which errors of a function that its own package does not call could be avoided by other arguments.

Of `def step(a, b): return a @ b` no checker that reads the package alone may say that it fails. The function is called once more with
what it was given when it failed, changed: arrays transposed, longer, shorter, square, with an axis more or less, all of one
size. If one of these calls gets past the line that raised, the error can be avoided; if none does, it counts as one that every
choice runs into.
"""

import contextlib
import importlib
import io
import itertools
import pathlib
import runpy
import signal
import sys
import warnings

import numpy as np

from run import TooSlow

MOST = 2000


def resized(array, shape):
    """An array of another shape with values like those of this one."""
    if array.size == 0:
        return np.ones(shape, array.dtype)
    return np.resize(array, shape)


def changed_array(array):
    """An array in other shapes."""
    yield array
    if array.ndim > 1:
        yield array.T
        yield array[0]
    yield array[None]
    yield array[..., None]
    for axis, size in enumerate(array.shape):
        for other in {size + 1, size * 2, max(size - 1, 1), 1, 2, 12} - {size}:
            yield resized(array, (*array.shape[:axis], other, *array.shape[axis + 1 :]))
    for side in (1, 3, 5, 6, 12):
        yield resized(array, (side,) * array.ndim)
    for side, rank in itertools.product((3, 4, 5), range(5)):
        yield resized(array, (side,) * rank)


def changed_value(value):
    """A value, and values of other shapes that might have been given in its place."""
    if isinstance(value, np.ndarray):
        yield from changed_array(value)
    elif type(value) is int:
        yield from (value, 1, 2, 4, 6, 12, value + 1, value * 2)
    elif type(value) in (list, tuple) and value and all(isinstance(item, np.ndarray) for item in value):
        for made in zip(*map(changed_array, value), strict=False):
            yield type(value)(made)
        yield value[:1]
        yield value[:-1]
    else:
        yield value


def choices(arguments):
    """Arguments in place of those given: all arrays of one size first, then one argument changed, then two."""
    arrays = [isinstance(value, np.ndarray) for value in arguments]
    for side, rank in itertools.product((1, 2, 3, 4, 5, 6, 12), range(5)):
        yield [resized(value, (side,) * rank) if is_array else value for value, is_array in zip(arguments, arrays, strict=True)]
    for side in (1, 2, 3, 4, 5, 6, 12):
        yield [
            resized(value, (side,) * value.ndim) if is_array else side if type(value) is int else value
            for value, is_array in zip(arguments, arrays, strict=True)
        ]
    others = [list(changed_value(value)) for value in arguments]
    for at, changed in enumerate(others):
        for value in changed:
            yield [*arguments[:at], value, *arguments[at + 1 :]]
    for (i, a), (j, b) in itertools.combinations(enumerate(others), 2):
        for x, y in itertools.product(a, b):
            given = list(arguments)
            given[i], given[j] = x, y
            yield given


class Entered(Exception):
    """What the entry of the package was called with."""


def is_avoidable(folder, path, line):
    """Whether the function of the package whose call led to `path:line` gets past that line with other arguments."""
    warnings.simplefilter("ignore")
    for name in [name for name in sys.modules if name == "pkg" or name.startswith("pkg.")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    sys.path.insert(0, str(folder))
    target = str(folder / path)
    entry, passed = [], []

    def stop(*_):
        raise TooSlow

    def trace(frame, event, _):
        name = frame.f_code.co_filename
        if not name.startswith(str(folder)):
            return None
        inside = pathlib.Path(name).relative_to(folder).parts[0] == "pkg"
        if event == "call" and inside and frame.f_code.co_name != "<module>" and frame.f_back is not None:
            if frame.f_back.f_code.co_filename == str(folder / "main.py"):
                names = frame.f_code.co_varnames[: frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount]
                entry.append((frame.f_globals["__name__"], frame.f_code.co_name, [frame.f_locals[name] for name in names]))
        return None

    def watch(frame, event, _):
        if frame.f_code.co_filename != target:
            return watch if frame.f_code.co_filename.startswith(str(folder)) else None
        state = {"at": None}

        def step(_, event, argument):
            if event == "exception":
                state["at"] = None
            elif state["at"] == line and event in ("line", "return"):
                passed.append(True)
            if event == "line":
                state["at"] = frame.f_lineno
            return step

        return step

    printed = io.StringIO()
    signal.signal(signal.SIGALRM, stop)
    try:
        signal.alarm(20)
        sys.settrace(trace)
        with contextlib.redirect_stdout(printed), contextlib.suppress(Exception):
            runpy.run_path(str(folder / "main.py"), run_name="__main__")
        sys.settrace(None)
        if not entry:
            return True
        module, name, arguments = entry[-1]
        function = getattr(sys.modules[module], name, None)
        if function is None:
            return True
        for given in itertools.islice(choices(arguments), MOST):
            sys.settrace(watch)
            with contextlib.redirect_stdout(printed), contextlib.suppress(Exception):
                function(*given)
            sys.settrace(None)
            if passed:
                return True
        return False
    except TooSlow:
        return True
    finally:
        sys.settrace(None)
        signal.alarm(0)
        sys.path.remove(str(folder))
