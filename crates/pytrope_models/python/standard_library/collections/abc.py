"""`collections.abc`: in a closed world, which values are among the abstract classes, and what mappings have of them."""

from _pytrope import closed_world, standard, unknown

_CONTAINERS = ("str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset", "range", "memoryview")


class Iterable(unknown("an abstract base class")):
    _pytrope_types = (*_CONTAINERS, "iterator")
    _pytrope_methods = ("__iter__",)


class Sized(unknown("an abstract base class")):
    _pytrope_types = _CONTAINERS
    _pytrope_methods = ("__len__",)


class Container(unknown("an abstract base class")):
    _pytrope_types = _CONTAINERS
    _pytrope_methods = ("__contains__",)


class Collection(unknown("an abstract base class")):
    _pytrope_types = _CONTAINERS
    _pytrope_methods = ("__iter__", "__len__", "__contains__")


class Callable(unknown("an abstract base class")):
    _pytrope_types = ("function", "method", "builtin_function_or_method", "type")
    _pytrope_methods = ("__call__",)


class Sequence(unknown("an abstract base class")):
    _pytrope_types = ("str", "bytes", "bytearray", "list", "tuple", "range", "memoryview")


class MutableSequence(unknown("an abstract base class")):
    _pytrope_types = ("bytearray", "list")


class Mapping:
    _pytrope_types = ("dict",)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __contains__(self, key):
        return key in [*self]

    def keys(self):
        return {key: None for key in self}.keys()

    def values(self):
        return {key: self[key] for key in self}.values()

    def items(self):
        return {key: self[key] for key in self}.items()


class MutableMapping(Mapping):
    _pytrope_types = ("dict",)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key, *default):
        if default and key not in self:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def update(self, other=(), /, **entries):
        for key, value in dict(other, **entries).items():
            self[key] = value

    def clear(self):
        for key in list(self):
            del self[key]


class Set(unknown("an abstract base class")):
    _pytrope_types = ("set", "frozenset")


class MutableSet(unknown("an abstract base class")):
    _pytrope_types = ("set",)


if not closed_world():
    Iterable = standard()
    Sized = standard()
    Container = standard()
    Collection = standard()
    Callable = standard()
    Sequence = standard()
    MutableSequence = standard()
    Mapping = standard()
    MutableMapping = standard()
    Set = standard()
    MutableSet = standard()
