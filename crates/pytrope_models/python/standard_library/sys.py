"""`sys`: only what every run agrees on."""

from _pytrope import closed_world, loaded_module, some, standard, unknown
from _target import minor as _minor

maxsize = 9223372036854775807
byteorder = some(str)
platform = some(str)
executable = some(str)
version = some(str)


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
