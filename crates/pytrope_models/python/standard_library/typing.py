"""`typing`: what runs. Everything else in it is Unknown, which types mostly are to a program."""

from _pytrope import unknown

# Checkers take it for true and programs for false; names bound under it may be there.
TYPE_CHECKING = False


class Generic:
    __complete__ = True

    def __class_getitem__(cls, item):
        return cls


class Protocol(Generic):
    __complete__ = True

    # Protocols are abstract base classes.
    @classmethod
    def register(cls, subclass):
        return unknown("the registered class")


class NamedTuple(unknown("the builtin tuple")):
    """The base that makes a class of fields; its constructor is made by the interpreter."""

    def __new__(cls, *args, **entries):
        return unknown("a named tuple made by a call")

    def __getitem__(self, place):
        return self._items[place]

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def _asdict(self):
        return dict(zip(self._fields, self._items))

    def _replace(self, **entries):
        return type(self)(**{**dict(zip(self._fields, self._items)), **entries})


class Annotated:
    def __class_getitem__(cls, parts):
        """A shape hint among the remarks is the hint; else the first part is the type."""
        for part in parts:
            if type(part).__name__ == "ShapeHint":
                return part
        return parts[0]


def cast(typ, val):
    return val


def assert_type(val, typ, /):
    return val


def final(f):
    return f


def dataclass_transform(**options):
    """A decorator for type checkers, which leaves what it decorates as it is."""
    return final


def override(method, /):
    return method


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    return unknown("annotations")


def no_type_check(arg):
    return arg


def runtime_checkable(cls):
    return cls


class OrderedDict(unknown("the alias of collections.OrderedDict")):
    """An alias that can be called; the real class is imported only then."""

    def __class_getitem__(cls, item):
        return cls

    def __new__(cls, *args, **entries):
        from collections import OrderedDict as made

        return made(*args, **entries)
