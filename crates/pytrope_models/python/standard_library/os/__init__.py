"""`os`: paths are strings; the rest asks the machine. In a closed world variables of the environment are not set."""

from _pytrope import closed_world, some, standard, unknown

from . import path

name = some(str)
sep = some(str)
linesep = some(str)
pathsep = some(str)


def getcwd():
    return some(str)


def getpid():
    return some(int)


def urandom(size, /):
    return some(bytes)


_USUAL = ("HOME", "PATH", "USER", "LANG", "SHELL", "PWD", "TERM", "TMPDIR", "LOGNAME")


class _Environment(unknown("the environment")):
    """The environment of an entry that is the whole program: what the program has not set is not set, but for what
    every shell sets."""

    def __init__(self):
        self._entries = {}

    def get(self, key, default=None):
        if key in _USUAL:
            return unknown("a variable of the environment")
        return self._entries.get(key, default)

    def __contains__(self, key):
        return bool(unknown("a variable of the environment")) if key in _USUAL else key in self._entries

    def __getitem__(self, key):
        return self._entries[key] if key in self._entries else unknown("a variable of the environment")

    def __setitem__(self, key, value):
        self._entries[key] = value


environ = _Environment() if closed_world() else standard()


def _getenv(key, default=None):
    return environ.get(key, default)


getenv = _getenv if closed_world() else standard()
