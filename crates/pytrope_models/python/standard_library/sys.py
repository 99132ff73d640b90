"""`sys`: only what every run agrees on."""

from _pytrope import closed_world, is_constant, loaded_module, some, standard, unknown
from _target import minor as _minor

maxsize = 9223372036854775807
byteorder = some(str)
platform = some(str)
executable = some(str)


class _Version(str):
    """A text that begins with `3.`: what comparing it with a major version shows, and nothing else."""

    def _order(self, other):
        """-1, 1, or 0 where it is not known."""
        if not isinstance(other, str) or not is_constant(other) or other == "":
            return 0
        if other == "3" or other == "3.":
            return 1
        if other[0] != "3":
            return 1 if other[0] < "3" else -1
        return 0

    def __lt__(self, other):
        order = self._order(other)
        return some(bool) if order == 0 else order < 0

    def __le__(self, other):
        return self < other

    def __gt__(self, other):
        order = self._order(other)
        return some(bool) if order == 0 else order > 0

    def __ge__(self, other):
        return self > other

    def __getitem__(self, index):
        if index == 0 or index == slice(0, 1) or index == slice(None, 1):
            return "3"
        return some(str)

    def startswith(self, prefix, *range):
        if isinstance(prefix, str) and len(range) == 0 and self._order(prefix) != 0:
            return prefix == "3" or prefix == "3."
        return some(bool)


version = _Version(some(str))


class _VersionInfo:
    """The version that the code is for; what follows the minor number is not known.

    Not a tuple, as subclasses of builtin containers keep no attributes here; its class is rarely asked for.
    """

    def __init__(self):
        self.major = 3
        self.minor = _minor
        self.micro = some(int)
        self.releaselevel = some(str)
        self.serial = some(int)

    def _parts(self):
        return (self.major, self.minor, self.micro, self.releaselevel, self.serial)

    def __getitem__(self, index):
        return self._parts()[index]

    def __len__(self):
        return 5

    def __iter__(self):
        return iter(self._parts())

    def __lt__(self, other):
        return self._parts() < other

    def __le__(self, other):
        return self._parts() <= other

    def __gt__(self, other):
        return self._parts() > other

    def __ge__(self, other):
        return self._parts() >= other

    def __eq__(self, other):
        return self._parts() == other

    def __ne__(self, other):
        return self._parts() != other


version_info = _VersionInfo()


def getrecursionlimit():
    return some(int)


def setrecursionlimit(limit, /):
    return None


def getsizeof(*args):
    return some(int)


def intern(string, /):
    return string


def exit(status=None, /):
    raise SystemExit(status)


class _Modules(unknown("the builtin dict")):
    """The modules that have been imported, by their names; modules that are put here are not followed."""

    def __getitem__(self, name):
        return loaded_module(name)

    def __setitem__(self, name, module):
        return None


modules = _Modules() if closed_world() else standard()
