"""A stand-in for PyTorch: enough to import modules that define models, and to run them up to their first error.

Every name exists. Capitalised names are classes that take anything and may be subclassed; other names are mocks.
Released PyTorch wheels need gigabytes of GPU libraries, and none of what is reproduced here computes anything.
"""

import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import sys
import types
from unittest.mock import MagicMock

STANDS_IN_FOR = ("torch", "torchvision", "torchaudio")


class Open(type):
    """Classes that have every attribute."""

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return MagicMock(name=f"{cls.__name__}.{name}", __name__=name, __qualname__=name)


class Anything(metaclass=Open):
    """A class that takes any arguments and has any attributes."""

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
    __version__ = "2.9.0"

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        qualified = f"{self.__name__}.{name}"
        if qualified in sys.modules:
            return sys.modules[qualified]
        if name[0].isupper():
            value = Open(name, (Anything,), {"__module__": self.__name__})
        elif name in ("nn", "utils", "distributed", "autograd", "fx", "jit", "cuda", "compiler", "functional"):
            value = importlib.import_module(qualified)
        else:
            value = MagicMock(name=qualified)
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in STANDS_IN_FOR or name == "safetensors.torch":
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        if module.__name__ == "torch":
            # Annotations join these with `|`.
            for name in ("Tensor", "device", "dtype", "Size", "layout", "Generator", "FloatTensor", "LongTensor"):
                setattr(module, name, Open(name, (Anything,), {}))


def install():
    """From now on `import torch` gives the stand-in."""
    sys.meta_path.insert(0, Finder())
    version = importlib.metadata.version
    importlib.metadata.version = lambda name: "2.9.0" if name in STANDS_IN_FOR else version(name)
