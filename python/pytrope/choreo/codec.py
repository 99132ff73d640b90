"""Values on the wire: JSON for what JSON can say, tags for the rest, raw buffers for bulk bytes.

Nothing that arrives is ever executed.  A tag may name only an enum, a dataclass or a named
tuple that the *receiving* program itself has, or a type that it registered.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import math
import sys
from collections.abc import Callable, Sequence
from enum import Enum, Flag
from types import ModuleType
from typing import Any, TypeVar

from .elsewhere import ELSEWHERE
from .errors import DecodeError, EncodeError

__all__ = ["Buffer", "copy_payload", "decode", "encode", "pack", "register", "unpack"]

Buffer = bytes | bytearray | memoryview

_T = TypeVar("_T")
_HERE = __name__.rpartition(".")[0]
_TAG = "$"
_PLAIN = frozenset({str, bool, type(None)})
_SHARED = frozenset({str, bool, type(None), int, float, bytes})
_MAX_DEPTH = 100
_DIGITS = 4096  # bits; beyond, decimal conversion is slow and CPython limits it
_NUMPY_KINDS = "biufcSUmM"

_encoders: dict[type, tuple[str, Callable[[Any], Any]]] = {}
_decoders: dict[str, Callable[[Any], Any]] = {}


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_from_text = json.JSONDecoder(parse_constant=_refuse_constant).decode
_to_text = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


def register(kind: type[_T], name: str, encode: Callable[[_T], Any], decode: Callable[[Any], _T]) -> None:
    """Let values of exactly ``kind`` travel as ``name``: as what ``encode`` makes of them."""
    _encoders[kind] = (name, encode)
    _decoders[name] = decode


def encode(value: object) -> tuple[bytes, list[Buffer]]:
    """The text of a payload and the buffers that its text refers to by position."""
    if type(value) is int and value.bit_length() <= _DIGITS:
        return b"%d" % value, []
    buffers: list[Buffer] = []
    return _to_text(_pack(value, buffers, 0)).encode(), buffers


def decode(text: Buffer, buffers: Sequence[Buffer]) -> Any:
    """The value that ``encode`` was given, in terms of the caller's own classes."""
    try:
        if type(text) is bytes and text.isdigit():
            return int(text)
        tree = _from_text(str(text, "utf-8"))
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"the payload is not JSON: {error}") from None
    return _unpack(tree, buffers, 0)


def pack(value: object) -> tuple[Any, Sequence[Buffer]]:
    """A payload that stays within the process: no text is made of it."""
    if type(value) in _SHARED:
        return value, ()
    buffers: list[Buffer] = []
    tree = _pack(value, buffers, 0)
    # The receiver must not share a buffer that the sender may still write to.
    return tree, [bytes(buffer) for buffer in buffers]


def unpack(tree: Any, buffers: Sequence[Buffer]) -> Any:
    """The value that ``pack`` was given, in terms of the caller's own classes."""
    return tree if type(tree) in _SHARED else _unpack(tree, buffers, 0)


def copy_payload(value: _T) -> _T:
    """What the receiver gets when ``value`` is sent within one process."""
    copy: _T = unpack(*pack(value))
    return copy


def _pack(value: Any, buffers: list[Buffer], depth: int) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is int:
        return value if value.bit_length() <= _DIGITS else {_TAG: "int", "v": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {_TAG: "float", "v": repr(value)}
    if depth > _MAX_DEPTH:
        raise EncodeError(f"a value nested more than {_MAX_DEPTH} deep, or one that contains itself")
    depth += 1
    if kind is list:
        return [_pack(item, buffers, depth) for item in value]
    if kind is tuple:
        return {_TAG: "tuple", "v": [_pack(item, buffers, depth) for item in value]}
    if kind is dict:
        if all(type(key) is str for key in value) and _TAG not in value:
            return {key: _pack(item, buffers, depth) for key, item in value.items()}
        pairs = [[_pack(k, buffers, depth), _pack(v, buffers, depth)] for k, v in value.items()]
        return {_TAG: "dict", "v": pairs}
    return _pack_tagged(value, kind, buffers, depth)


def _pack_tagged(value: Any, kind: type, buffers: list[Buffer], depth: int) -> Any:
    if kind in _encoders:
        name, function = _encoders[kind]
        return {_TAG: "registered", "t": name, "v": _pack(function(value), buffers, depth)}
    if kind in (bytes, bytearray, memoryview):
        buffers.append(value.tobytes() if kind is memoryview else value)
        return {_TAG: "bytearray" if kind is bytearray else "bytes", "v": len(buffers) - 1}
    if isinstance(value, Enum):
        member = value.value if isinstance(value, Flag) else value.name
        return {_TAG: "enum", "t": _name_of(kind), "v": member}
    if dataclasses.is_dataclass(kind):
        fields = {field.name: _pack(getattr(value, field.name), buffers, depth) for field in dataclasses.fields(kind)}
        return {_TAG: "dataclass", "t": _name_of(kind), "v": fields}
    if kind is complex:
        parts = [_pack(part, buffers, depth) for part in (value.real, value.imag)]
        return {_TAG: "complex", "v": parts}
    if kind in (set, frozenset):
        return {_TAG: kind.__name__, "v": [_pack(item, buffers, depth) for item in value]}
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        items = [_pack(item, buffers, depth) for item in value]
        return {_TAG: "named", "t": _name_of(kind), "v": items}
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return _pack_array(numpy, value, buffers)
    if value is ELSEWHERE:
        raise EncodeError("a value that lives at another role cannot be sent from here")
    raise EncodeError(f"a value of type {kind.__module__}.{kind.__qualname__} cannot be sent")


def _pack_array(numpy: Any, value: Any, buffers: list[Buffer]) -> Any:
    array = numpy.asarray(value)
    if array.dtype.kind not in _NUMPY_KINDS:
        raise EncodeError(f"an array of dtype {array.dtype} cannot be sent")
    buffers.append(array.tobytes())
    tag = "ndarray" if isinstance(value, numpy.ndarray) else "scalar"
    return {_TAG: tag, "d": array.dtype.str, "s": list(array.shape), "v": len(buffers) - 1}


def _unpack(tree: Any, buffers: Sequence[Buffer], depth: int) -> Any:
    if depth > 2 * _MAX_DEPTH:
        raise DecodeError("the payload is nested too deep")
    if type(tree) is list:
        return [_unpack(item, buffers, depth + 1) for item in tree]
    if type(tree) is not dict:
        return tree
    if _TAG not in tree:
        return {key: _unpack(item, buffers, depth + 1) for key, item in tree.items()}
    tag = tree[_TAG]
    unpack = _UNPACK.get(tag) if isinstance(tag, str) else None
    if unpack is None:
        raise DecodeError(f"the payload has an unknown tag {tag!r}")
    try:
        return unpack(tree, buffers, depth + 1)
    except DecodeError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DecodeError(f"the payload has a damaged {tag}: {error}") from None


def _items(tree: Any, buffers: Sequence[Buffer], depth: int) -> list[Any]:
    if type(tree["v"]) is not list:
        raise DecodeError(f"the payload has a damaged {tree[_TAG]}")
    return [_unpack(item, buffers, depth) for item in tree["v"]]


def _unpack_float(tree: Any, _buffers: Sequence[Buffer], _depth: int) -> float:
    if tree["v"] not in ("nan", "inf", "-inf"):
        raise DecodeError("the payload has a damaged float")
    return float(tree["v"])


def _unpack_dict(tree: Any, buffers: Sequence[Buffer], depth: int) -> Any:
    return {_unpack(k, buffers, depth): _unpack(v, buffers, depth) for k, v in tree["v"]}


def _unpack_enum(tree: Any, _buffers: Sequence[Buffer], _depth: int) -> Any:
    found = _class_named(tree["t"])
    if not (isinstance(found, type) and issubclass(found, Enum)):
        raise DecodeError(f"there is no enum {tree['t']!r} at the receiver")
    return found(tree["v"]) if issubclass(found, Flag) else found[tree["v"]]


def _unpack_dataclass(tree: Any, buffers: Sequence[Buffer], depth: int) -> Any:
    found = _class_named(tree["t"])
    if not (isinstance(found, type) and dataclasses.is_dataclass(found)):
        raise DecodeError(f"there is no dataclass {tree['t']!r} at the receiver")
    values = {name: _unpack(item, buffers, depth) for name, item in tree["v"].items()}
    fields = dataclasses.fields(found)
    if {field.name for field in fields} != set(values):
        raise DecodeError(f"the fields of {tree['t']} differ between sender and receiver")
    made = found(**{field.name: values[field.name] for field in fields if field.init})
    for field in fields:
        if not field.init:
            object.__setattr__(made, field.name, values[field.name])
    return made


def _unpack_named(tree: Any, buffers: Sequence[Buffer], depth: int) -> Any:
    found = _class_named(tree["t"])
    if not (isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")):
        raise DecodeError(f"there is no named tuple {tree['t']!r} at the receiver")
    return found(*_items(tree, buffers, depth))


def _unpack_registered(tree: Any, buffers: Sequence[Buffer], depth: int) -> Any:
    function = _decoders.get(tree["t"])
    if function is None:
        raise DecodeError(f"nothing is registered as {tree['t']!r} at the receiver")
    return function(_unpack(tree["v"], buffers, depth))


def _unpack_array(tree: Any, buffers: Sequence[Buffer], _depth: int) -> Any:
    try:
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        raise DecodeError("an array arrived where NumPy is not installed") from None
    dtype = numpy.dtype(tree["d"])
    shape = tree["s"]
    buffer = buffers[_position(tree)]
    if dtype.kind not in _NUMPY_KINDS or not all(type(size) is int and size >= 0 for size in shape):
        raise DecodeError("the payload has a damaged array")
    if math.prod(shape) * dtype.itemsize != len(buffer):
        raise DecodeError("the payload has an array whose bytes do not fit its shape")
    # A copy, so that the receiver may write to it; ``frombuffer`` takes no empty buffer.
    array = numpy.empty(shape, dtype)
    if len(buffer):
        array = numpy.frombuffer(buffer, dtype=dtype).reshape(shape).copy()
    return array if tree[_TAG] == "ndarray" else array[()]


def _position(tree: Any) -> int:
    position = tree["v"]
    if type(position) is not int or position < 0:
        raise DecodeError("the payload refers to no buffer")
    return position


_UNPACK: dict[str, Callable[[Any, Sequence[Buffer], int], Any]] = {
    "tuple": lambda tree, buffers, depth: tuple(_items(tree, buffers, depth)),
    "set": lambda tree, buffers, depth: set(_items(tree, buffers, depth)),
    "frozenset": lambda tree, buffers, depth: frozenset(_items(tree, buffers, depth)),
    "int": lambda tree, _buffers, _depth: int(tree["v"], 16),
    "float": _unpack_float,
    "complex": lambda tree, buffers, depth: complex(*_items(tree, buffers, depth)),
    "bytes": lambda tree, buffers, _depth: bytes(buffers[_position(tree)]),
    "bytearray": lambda tree, buffers, _depth: bytearray(buffers[_position(tree)]),
    "dict": _unpack_dict,
    "enum": _unpack_enum,
    "dataclass": _unpack_dataclass,
    "named": _unpack_named,
    "registered": _unpack_registered,
    "ndarray": _unpack_array,
    "scalar": _unpack_array,
}


def _name_of(kind: type) -> str:
    return kind.__qualname__.rpartition("<locals>.")[2]


def _class_named(name: Any) -> Any:
    """The class that the program which is receiving calls ``name``.

    Each role's program has its own copy of a shared enum or dataclass, so the name is looked
    up in the module that called ``recv`` or ``offer``, then in its callers.
    """
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
