"""`collections.abc`: in a closed world, which values are among the abstract classes; as bases they are not known."""

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


class Mapping(unknown("an abstract base class")):
    _pytrope_types = ("dict",)


class MutableMapping(unknown("an abstract base class")):
    _pytrope_types = ("dict",)


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
