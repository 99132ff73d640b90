"""Payloads of the standard library and of classes: enums, dataclasses, named tuples, pydantic models, dates, numbers.

A class travels by its name and is made again from the class of that name in the receiving program.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import sys
import uuid
from collections.abc import Sequence
from decimal import Decimal
from enum import Enum, Flag
from fractions import Fraction
from pathlib import Path, PosixPath, PurePosixPath, PureWindowsPath, WindowsPath
from types import ModuleType
from typing import Any

from .codec import Buffer, Packing, add_family, add_tag, check_hashes, unpack_items, unpack_one
from .errors import DecodeError, EncodeError

__all__ = ["find_class"]

_HERE = __name__.rpartition(".")[0]
_DIGITS = 10_000  # of a decimal number; arithmetic on longer ones is slow
_BITS = 1 << 16  # of a fraction's parts, likewise


def _name_of(kind: type) -> str:
    return kind.__qualname__.rpartition("<locals>.")[2]


def find_class(name: Any) -> Any:
    """The class that the program which is receiving calls ``name``.

    Each role's program has its own copy of a shared enum or dataclass, so the name is looked
    up in the module that called ``recv`` or ``offer``, then in its callers.
    """
    if type(name) is not str:
        raise DecodeError("the payload has a class without a name")
    first, *rest = name.split(".")
    frame: Any = sys._getframe(1)
    while frame is not None:
        names = frame.f_globals
        if not str(names.get("__name__", "")).startswith(_HERE):
            found = names[first] if first in names else frame.f_locals.get(first)
            if found is None:
                # `import other_client as other`: a class of another choreography's program.
                modules = (value for value in names.values() if type(value) is ModuleType)
                programs = (module for module in modules if hasattr(module, "CHOREOGRAPHY"))
                found = next((vars(program)[first] for program in programs if first in vars(program)), None)
            for part in rest:
                found = getattr(found, part, None) if isinstance(found, type) else None
            if isinstance(found, type):
                return found
        frame = frame.f_back
    return None


def _pack_class(value: Any, kind: type, packing: Packing) -> list[Any] | None:
    if isinstance(value, Enum):
        return ["enum", _name_of(kind), packing.pack(value.value) if isinstance(value, Flag) else value.name]
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
        return ["dataclass", _name_of(kind), names, packing.pack_items(getattr(value, name) for name in names)]
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return ["named", _name_of(kind), packing.pack_items(value)]
    pydantic: Any = sys.modules.get("pydantic")
    if pydantic is not None and isinstance(value, pydantic.BaseModel):
        return _pack_model(value, kind, packing)
    return None


def _unpack_enum(buffers: Sequence[Buffer], depth: int, name: Any, member: Any) -> Any:
    found = find_class(name)
    if not (isinstance(found, type) and issubclass(found, Enum)):
        raise DecodeError(f"there is no enum {name!r} at the receiver")
    if issubclass(found, Flag):
        return found(unpack_one(buffers, depth, member))
    return found[member]


def _unpack_dataclass(buffers: Sequence[Buffer], depth: int, name: Any, names: Any, items: Any) -> Any:
    found = find_class(name)
    if not (isinstance(found, type) and dataclasses.is_dataclass(found)):
        raise DecodeError(f"there is no dataclass {name!r} at the receiver")
    values = dict(zip(names, unpack_items(buffers, depth, items), strict=True))
    fields = dataclasses.fields(found)
    if {field.name for field in fields} != set(values):
        raise DecodeError(f"the fields of {name} differ between sender and receiver")
    made = found(**{field.name: values[field.name] for field in fields if field.init})
    for field in fields:
        if not field.init:
            object.__setattr__(made, field.name, values[field.name])
    return made


def _unpack_named(buffers: Sequence[Buffer], depth: int, name: Any, items: Any) -> Any:
    found = find_class(name)
    if not (isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")):
        raise DecodeError(f"there is no named tuple {name!r} at the receiver")
    return found(*unpack_items(buffers, depth, items))


def _pack_model(value: Any, kind: type, packing: Packing) -> list[Any]:
    # Fields are taken as they are, not dumped, so that models within models stay models.
    extra = value.__pydantic_extra__ or {}
    if value.__pydantic_private__:
        raise EncodeError(f"{kind.__qualname__} has private attributes, which a receiver could not check")
    fields = {**vars(value), **extra}
    return [
        "pydantic",
        _name_of(kind),
        list(fields),
        packing.pack_items(fields.values()),
        sorted(value.model_fields_set),
    ]


def _unpack_model(buffers: Sequence[Buffer], depth: int, name: Any, names: Any, items: Any, given: Any) -> Any:
    try:
        import pydantic
    except ImportError:
        raise DecodeError("a pydantic model arrived where pydantic is not installed") from None
    found = find_class(name)
    if not (isinstance(found, type) and issubclass(found, pydantic.BaseModel)):
        raise DecodeError(f"there is no pydantic model {name!r} at the receiver")
    values = dict(zip(names, unpack_items(buffers, depth, items), strict=True))
    if not set(found.model_fields) <= set(values):
        raise DecodeError(f"the fields of {name} differ between sender and receiver")
    try:
        made = found.model_validate(values, by_name=True, by_alias=False)
    except pydantic.ValidationError as error:
        raise DecodeError(f"the receiver's {name} does not accept what arrived: {error}") from None
    made.__pydantic_fields_set__ = {field for field in given if field in values}
    return made


def _pack_zone(zone: datetime.tzinfo | None) -> Any:
    if zone is None:
        return None
    if type(zone) is datetime.timezone:
        offset = zone.utcoffset(None)
        return [offset.days, offset.seconds, offset.microseconds]
    key = getattr(zone, "key", None)
    if type(zone).__module__.startswith("zoneinfo") and isinstance(key, str):
        return key
    raise EncodeError(f"a time zone of type {type(zone).__qualname__} cannot be sent")


def _unpack_zone(told: Any) -> datetime.tzinfo | None:
    if told is None:
        return None
    if type(told) is list:
        days, seconds, microseconds = told
        return datetime.timezone(datetime.timedelta(days, seconds, microseconds))
    from zoneinfo import ZoneInfo

    return ZoneInfo(told)


def _pack_datetime(value: datetime.datetime, _packing: Packing) -> list[Any]:
    return [value.replace(tzinfo=None, fold=0).isoformat(), value.fold, _pack_zone(value.tzinfo)]


def _unpack_datetime(_buffers: Sequence[Buffer], _depth: int, text: Any, fold: Any, zone: Any) -> datetime.datetime:
    made = datetime.datetime.fromisoformat(text)
    return made.replace(fold=fold, tzinfo=_unpack_zone(zone))


def _unpack_time(_buffers: Sequence[Buffer], _depth: int, text: Any, fold: Any, zone: Any) -> datetime.time:
    return datetime.time.fromisoformat(text).replace(fold=fold, tzinfo=_unpack_zone(zone))


def _unpack_decimal(_buffers: Sequence[Buffer], _depth: int, text: Any) -> Decimal:
    if type(text) is not str or len(text) > _DIGITS:
        raise DecodeError(f"the payload has a decimal number of more than {_DIGITS} digits")
    return Decimal(text)


def _pack_decimal(value: Decimal, _packing: Packing) -> list[Any]:
    text = str(value)
    if len(text) > _DIGITS:
        raise EncodeError(f"a decimal number of more than {_DIGITS} digits cannot be sent")
    return [text]


def _pack_fraction(value: Fraction, _packing: Packing) -> list[Any]:
    _check_bits(value.numerator, value.denominator, EncodeError)
    return [value.numerator, value.denominator]


def _unpack_fraction(_buffers: Sequence[Buffer], _depth: int, above: Any, below: Any) -> Fraction:
    _check_bits(above, below, DecodeError)
    return Fraction(above, below)


def _check_bits(above: Any, below: Any, error: type[EncodeError | DecodeError]) -> None:
    if type(above) is not int or type(below) is not int or max(above.bit_length(), below.bit_length()) > _BITS:
        raise error(f"a fraction of more than {_BITS} bits")


def _unpack_ordered(buffers: Sequence[Buffer], depth: int, keys: Any, values: Any) -> Any:
    names = unpack_items(buffers, depth, keys)
    check_hashes(names)
    return collections.OrderedDict(zip(names, unpack_items(buffers, depth, values), strict=True))


def _unpack_deque(buffers: Sequence[Buffer], depth: int, items: Any, limit: Any) -> Any:
    return collections.deque(unpack_items(buffers, depth, items), limit)


add_family(_pack_class)
add_tag(None, "enum", None, _unpack_enum)
add_tag(None, "dataclass", None, _unpack_dataclass)
add_tag(None, "named", None, _unpack_named)
add_tag(None, "pydantic", None, _unpack_model)
add_tag(datetime.datetime, "datetime", _pack_datetime, _unpack_datetime)
add_tag(datetime.date, "date", lambda value, _p: [value.isoformat()], lambda _b, _d, t: datetime.date.fromisoformat(t))
add_tag(
    datetime.time,
    "time",
    lambda value, _p: [value.replace(tzinfo=None, fold=0).isoformat(), value.fold, _pack_zone(value.tzinfo)],
    _unpack_time,
)
add_tag(
    datetime.timedelta,
    "timedelta",
    lambda value, _p: [value.days, value.seconds, value.microseconds],
    lambda _b, _d, days, seconds, micros: datetime.timedelta(days, seconds, micros),
)
add_tag(
    datetime.timezone,
    "timezone",
    lambda value, _p: [_pack_zone(value)],
    lambda _b, _d, told: _unpack_zone(told),
)
add_tag(Decimal, "decimal", _pack_decimal, _unpack_decimal)
add_tag(Fraction, "fraction", _pack_fraction, _unpack_fraction)
add_tag(uuid.UUID, "uuid", lambda value, _p: [value.bytes], lambda _b, _d, data: uuid.UUID(bytes=data))
add_tag(
    range,
    "range",
    lambda value, _p: [value.start, value.stop, value.step],
    lambda _b, _d, start, stop, step: range(start, stop, step),
)
# A path is one of the receiver's system; pure paths keep their flavour.
for _kind in (PosixPath, WindowsPath):
    add_tag(_kind, "path", lambda value, _p: [value.as_posix()], lambda _b, _d, text: Path(text))
for _pure, _tag in ((PurePosixPath, "posix path"), (PureWindowsPath, "windows path")):
    add_tag(_pure, _tag, lambda value, _p: [str(value)], lambda _b, _d, text, pure=_pure: pure(text))
add_tag(
    collections.OrderedDict,
    "ordered",
    lambda value, packing: [packing.pack_items(value), packing.pack_items(value.values())],
    _unpack_ordered,
)
add_tag(
    collections.deque,
    "deque",
    lambda value, packing: [packing.pack_items(value), value.maxlen],
    _unpack_deque,
)
