"""What the programs of `unknown` import: CPython finds it here, the analyser does not find it at all.

It does what unknown code may do: keeps what it is given, changes it then or later, calls back, gives it back.
"""

import random
from contextlib import contextmanager

kept = []


def begin():
    kept.clear()


def change(x):
    """Some change of the things that change: contents of containers, and attributes that hold no object of the program."""
    kind = random.randint(0, 3)
    if kind == 0:
        return
    if isinstance(x, list):
        [x.clear, lambda: x.append(None), lambda: x.append(7), x.reverse][kind]()
    elif isinstance(x, dict):
        [x.clear, lambda: x.update(k=None), lambda: x.update(n=7), lambda: x.pop("k", 0)][kind]()
    elif isinstance(x, set):
        [x.clear, lambda: x.add(None), lambda: x.add(7), x.clear][kind]()
    elif hasattr(x, "__dict__") and not callable(x):
        for name, value in list(vars(x).items()):
            if value is None or isinstance(value, (int, str, tuple)):
                setattr(x, name, [0, None, 7, "s"][kind])
            else:
                change(value)


def keep(x):
    kept.append(x)


def same(x):
    kept.append(x)
    return x


def touch(x):
    change(x)
    return len(kept)


def later():
    for x in list(kept):
        change(x)
    return random.randint(0, 3)


def choose(*values):
    kept.extend(values)
    return random.choice(values)


def call(function, *values):
    return function(*values)


def soon(function, *values):
    """Calls now, or never."""
    return function(*values) if random.random() < 0.5 else None


def fail(x=None):
    if random.random() < 0.5:
        raise ValueError(x)
    return x


@contextmanager
def around(x=None):
    if x is not None:
        change(x)
    yield x
    later()


@contextmanager
def forgiving(x=None):
    try:
        yield x
    except Exception:  # noqa: BLE001 - it forgives everything
        pass


def decorate(function):
    kept.append(function)
    return function


def twice(function):
    return lambda *values: (function(*values), function(*values))[1]


class Base:
    def __init__(self, *values):
        self.base = values
        kept.append(self)
        self.setup()

    def setup(self):
        pass

    def ping(self, n=0):
        return self.react(n)

    def react(self, n):
        return n
