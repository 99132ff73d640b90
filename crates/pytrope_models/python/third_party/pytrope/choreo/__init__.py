"""`pytrope.choreo`: a choreography has its global meaning, in which values are where they are needed.

`com` and `@ Role()` keep shapes, a family's operations make one value of many and many of one. A channel, a star or a
mesh that a parameter is annotated with is what the parameter is. Programs made by `pytrope project` say
what they receive in annotations; the ends that they are given are Unknown.
"""

from _pytrope import copy_of_other_member, deep_copy, fresh, is_unknown, proved, repeat, require, some, unknown
from pytrope.hints import ObjectHint, ShapeHint


class Role:
    # NumPy leaves `array @ Client()` to the role.
    __array_ufunc__ = None

    def __rmatmul__(self, value, /):
        return value


class Family(Role):
    pass


class _Place:
    __array_ufunc__ = None

    def __rmatmul__(self, value, /):
        return value


class On:
    def __class_getitem__(cls, roles):
        return _Place()


def _at_members(hint):
    """The hint for each member of a family; inside of containers too."""
    if isinstance(hint, ShapeHint):
        return ShapeHint(hint.array_class, hint.dims, True)
    if isinstance(hint, tuple):
        return tuple([_at_members(item) for item in hint])
    if isinstance(hint, list):
        return [_at_members(item) for item in hint]
    return hint


class At:
    def __class_getitem__(cls, located):
        if not isinstance(located, tuple):
            return located
        hint, role = located
        # A type parameter, or several roles: sizes may differ.
        if proved(isinstance(role, type)) and proved(not issubclass(role, Family)):
            return hint
        return _at_members(hint)


class Ch:
    def __class_getitem__(cls, roles):
        return cls


class Ch1:
    def __class_getitem__(cls, roles):
        return cls


class Ch2(Ch):
    pass


class Ch3(Ch):
    pass


class Ch4(Ch):
    pass


class Ch5(Ch):
    pass


class Ch6(Ch):
    pass


class Ch7(Ch):
    pass


class Ch8(Ch):
    pass


class Ch9(Ch):
    pass


class Ch10(Ch):
    pass


class DiChannel:
    def __class_getitem__(cls, parameters):
        return ObjectHint(cls())

    def com(self, value, /):
        return deep_copy(value)

    def select(self, label, /):
        return label


class Channel(DiChannel):
    pass


def _items_for(values, count):
    """The items of a sequence that each of so many members gets one of."""
    if is_unknown(values):
        return values
    items = list(values)
    if is_unknown(items):
        return items
    require(len(items) == count, ValueError, f"{len(items)} item(s) cannot be sent to {count} member(s)")
    return items


def _item_of(items):
    if is_unknown(items):
        return items
    return items[some(int)]


class _Family:
    """What stars and meshes share: a number of members, not known before the run."""

    def __class_getitem__(cls, parameters):
        return ObjectHint(cls())

    def __init__(self):
        self.count = fresh("members")
        self.rank = some(int)


class Star(_Family):
    def broadcast(self, value, /):
        return deep_copy(value)

    def share(self, value, /):
        return deep_copy(value)

    def scatter(self, values, /):
        return deep_copy(_item_of(_items_for(values, self.count)))

    def gather(self, value, /):
        return repeat(copy_of_other_member(value), self.count)

    def first(self, value, /):
        return copy_of_other_member(value)

    def select(self, label, /):
        return label


class Mesh(_Family):
    def allgather(self, value, /):
        return repeat(copy_of_other_member(value), self.count)

    def alltoall(self, values, /):
        return repeat(copy_of_other_member(_item_of(_items_for(values, self.count))), self.count)

    def shift(self, value, /):
        return copy_of_other_member(value)


def direct_channel():
    return Channel()


ELSEWHERE = unknown("a value at another role")
