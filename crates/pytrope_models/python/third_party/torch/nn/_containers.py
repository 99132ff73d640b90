"""Modules that hold modules in order."""

from collections import OrderedDict

from _pytrope import is_assuming, is_constant, is_unknown, require, unknown

from .._make import is_tensor, same_rank
from ._module import Module


class Sequential(Module):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], (OrderedDict, dict)):
            for key, module in args[0].items():
                self.add_module(key, module)
        else:
            count = 0
            for module in args:
                self.add_module(str(count), module)
                count += 1

    def forward(self, input):
        for module in self._pytrope_held().values():
            made = module(input)
            if is_assuming() and is_unknown(made) and is_tensor(input):
                # What is not known in such a row is mostly a choice of a normalisation or an activation.
                made = same_rank(input)
            input = made
        return input

    def __len__(self):
        return len(self._pytrope_held())

    def __iter__(self):
        return iter(list(self._pytrope_held().values()))

    def __getitem__(self, index):
        items = list(self._pytrope_held().items())
        if isinstance(index, slice):
            return Sequential(*[module for _, module in items[index]])
        require(
            -len(items) <= index and index < len(items),
            IndexError,
            f"index {index} is out of range for {len(items)} modules",
            rule="index-range",
        )
        return items[index][1]

    def __setitem__(self, index, module):
        setattr(self, list(self._pytrope_held().keys())[index], module)

    def append(self, module):
        self.add_module(str(len(self._pytrope_held())), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self


class ModuleList(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __len__(self):
        return len(self._pytrope_held())

    def __iter__(self):
        return iter(list(self._pytrope_held().values()))

    def __getitem__(self, index):
        items = list(self._pytrope_held().values())
        if isinstance(index, slice):
            return ModuleList(items[index])
        require(
            -len(items) <= index and index < len(items),
            IndexError,
            f"index {index} is out of range for {len(items)} modules",
            rule="index-range",
        )
        return items[index]

    def __setitem__(self, index, module):
        setattr(self, list(self._pytrope_held().keys())[index], module)

    def __add__(self, other):
        return ModuleList(list(self) + list(other))

    def __iadd__(self, modules):
        return self.extend(modules)

    def append(self, module):
        self.add_module(str(len(self._pytrope_held())), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        items = list(self._pytrope_held().values())
        items.insert(index, module)
        self._pytrope_held().clear()
        self.extend(items)


def held_by_name(held, key, error=KeyError):
    """What a dictionary of modules or parameters holds; a name that it certainly lacks is the program's KeyError."""
    if is_unknown(held):
        return unknown("the constructor was not followed")
    if is_constant(key):
        present = key in held
        if not is_unknown(present) and is_constant(present):
            require(present, error, f"{key!r}")
    return held[key]


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __len__(self):
        return len(self._pytrope_held())

    def __iter__(self):
        return iter(list(self._pytrope_held().keys()))

    def __contains__(self, key):
        return key in self._pytrope_held()

    def __getitem__(self, key):
        return held_by_name(self._pytrope_held(), key)

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def keys(self):
        return self._pytrope_held().keys()

    def values(self):
        return self._pytrope_held().values()

    def items(self):
        return self._pytrope_held().items()

    def update(self, modules):
        pairs = modules.items() if isinstance(modules, (dict, OrderedDict, ModuleDict)) else modules
        for key, module in pairs:
            self.add_module(key, module)

    def pop(self, key):
        return self._pytrope_held().pop(key)


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        if values is not None:
            self.extend(values)

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(list(self._parameters.values()))

    def __getitem__(self, index):
        return list(self._parameters.values())[index]

    def append(self, value):
        self.register_parameter(str(len(self._parameters)), value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        if parameters is not None and not is_unknown(parameters):
            for key, value in parameters.items():
                self.register_parameter(key, value)

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(list(self._parameters.keys()))

    def __getitem__(self, key):
        return held_by_name(self._parameters, key, AttributeError)

    def __setitem__(self, key, value):
        self.register_parameter(key, value)

    def __contains__(self, key):
        return key in self._parameters

    def keys(self):
        return self._parameters.keys()

    def values(self):
        return self._parameters.values()

    def items(self):
        return self._parameters.items()
