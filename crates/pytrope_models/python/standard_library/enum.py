"""`enum`: members are instances of their class, with a name and a value."""

from _pytrope import unknown


class Enum:
    pass


class IntEnum(Enum):
    pass


class StrEnum(Enum):
    pass


class Flag(Enum):
    pass


class IntFlag(Flag):
    pass


EnumMeta = unknown("enum.EnumMeta")
EnumType = unknown("enum.EnumType")
ReprEnum = Enum


def auto():
    return unknown("enum.auto counts")


def unique(enumeration):
    return enumeration


def member(value):
    return unknown("enum.member")


def nonmember(value):
    return unknown("enum.nonmember")


def global_enum(cls):
    return cls


property = unknown("enum.property")
