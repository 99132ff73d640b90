"""`typing`: what runs. Everything else in it is Unknown, which types mostly are to a program."""

from _pytrope import some, unknown

# Checkers take it for true and programs for false; names bound under it may be there.
TYPE_CHECKING = some(bool)


class Generic:
    def __class_getitem__(cls, item):
        return cls


class Protocol(Generic):
    pass


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


def override(method, /):
    return method


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
