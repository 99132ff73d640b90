"""Stand-ins for what is not installed: a module that cannot be found has every name, and its classes take anything."""

import importlib.abc
import importlib.machinery
import sys
import types
from unittest.mock import MagicMock

USED = []


class Open(type):
    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return MagicMock(name=f"{cls.__name__}.{name}", __name__=name, __qualname__=name)

    def __or__(cls, other):
        return cls

    __ror__ = __or__


class Anything(metaclass=Open):
    def __init__(self, *args, **kwargs):
        pass

    def __init_subclass__(cls, **kwargs):
        pass

    def __class_getitem__(cls, item):
        return cls

    def __call__(self, *args, **kwargs):
        return MagicMock()


class StandIn(types.ModuleType):
    __path__ = []
    __version__ = "99.0"

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        qualified = f"{self.__name__}.{name}"
        if qualified in sys.modules:
            return sys.modules[qualified]
        if name[0].isupper() and not name.isupper():
            value = Open(name, (Anything,), {"__module__": self.__name__})
        else:
            value = MagicMock(name=qualified, __name__=name, __qualname__=name)
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Found last: only what nothing else finds."""

    def __init__(self, own):
        self.own = own

    def find_spec(self, name, path, target=None):
        top = name.split(".")[0]
        if top in self.own or top in sys.stdlib_module_names:
            return None
        if "." in name and not isinstance(sys.modules.get(name.rpartition(".")[0]), StandIn):
            return None
        USED.append(name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


def install(own):
    """Modules whose first name is in `own` are never stood in for."""
    sys.meta_path.append(Finder(own))
