"""Values on the wire: MessagePack for what it can say, tags for the rest, raw buffers for bulk bytes.

Nothing that arrives is ever executed.  A tag may name only an enum, a dataclass, a named tuple or a
pydantic model that the *receiving* program itself has, or a type that it registered.  Decoding costs
time and memory in proportion to the bytes that arrived: lengths are checked against them before
anything is allocated, and keys that collide are refused before a table is made of them.
"""

from __future__ import annotations

import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeVar

from .elsewhere import ELSEWHERE
from .errors import DecodeError, EncodeError
from .messagepack import read_text, write_text

__all__ = [
    "Buffer",
    "Packing",
    "add_family",
    "add_tag",
    "check_hashes",
    "copy_payload",
    "decode",
    "encode",
    "register",
    "take_buffer",
    "unpack_items",
    "unpack_one",
]

Buffer = bytes | bytearray | memoryview

_T = TypeVar("_T")
_TAG = "$"
_ATOMS = frozenset({str, bool, type(None), int, float})
_LEAVES = _ATOMS | {bytes}
_SCALARS = frozenset({int, bool, float, type(None)})
_NUMBERS = {int: ("ints", "q"), float: ("floats", "d")}
_NO_BUFFERS: tuple[Buffer, ...] = ()
_IMMUTABLE = frozenset({str, bool, type(None), int, float, bytes})
_MAX_DEPTH = 100
_BULK = 512  # bytes, or items of a list of numbers: from here on they travel as a buffer
_LONG = 4096  # characters of a string, likewise
_MANY = 1 << 12  # buffers of one message, after which bytes stay in its text
_MUCH = 1 << 20  # bytes of text
_COLLIDING = 64  # keys of one table that may have the same hash

_encoders: dict[type, tuple[str, Callable[[Any], Any]]] = {}
_decoders: dict[str, Callable[[Any], Any]] = {}


class Packing:
    """The buffers of a payload while its tree is made, and how deep in it we are."""

    __slots__ = ("buffers", "depth", "lifts_strings")

    def __init__(self, *, lifts_strings: bool = False) -> None:
        self.buffers: list[Buffer] = []
        self.depth = 0
        self.lifts_strings = lifts_strings

    def add_buffer(self, data: Buffer) -> int:
        """The position under which the tree refers to ``data``."""
        self.buffers.append(data)
        return len(self.buffers) - 1

    def pack(self, value: Any) -> Any:
        """``value`` as MessagePack can say it."""
        kind = type(value)
        if kind in _ATOMS:
            return self._pack_long_string(value) if self.lifts_strings and kind is str else value
        if kind is bytes:
            inline = len(value) < _BULK or len(self.buffers) >= _MANY
            return value if inline else {_TAG: ["bytes", self.add_buffer(value)]}
        if self.depth >= _MAX_DEPTH:
            raise EncodeError(f"a value nested more than {_MAX_DEPTH} deep, or one that contains itself")
        self.depth += 1
        if kind is list:
            packed = self._pack_list(value)
        elif kind is dict:
            packed = self._pack_dict(value)
        elif kind is tuple:
            packed = {_TAG: ["tuple", self._pack_list(value)]}
        else:
            packed = {_TAG: self._pack_tagged(value, kind)}
        self.depth -= 1
        return packed

    def pack_items(self, items: Iterable[Any]) -> list[Any]:
        """Each of ``items`` as MessagePack can say it."""
        return [self.pack(item) for item in items]

    def _pack_list(self, items: Any) -> Any:
        if len(items) >= _BULK and type(items[0]) in _NUMBERS:
            tag, code = _NUMBERS[type(items[0])]
            # Counting identical types and packing all at once is what costs least here.
            if list(map(type, items)).count(type(items[0])) == len(items):
                try:
                    numbers = struct.pack(f"<{len(items)}{code}", *items)
                except struct.error:  # an integer of more than 64 bits
                    return list(items)
                return {_TAG: [tag, self.add_buffer(numbers)]}
        kinds = set(map(type, items))
        if kinds <= _ATOMS and not self.lifts_strings:
            return items if type(items) is list else list(items)
        return [self.pack(item) for item in items]

    def _pack_dict(self, value: dict[Any, Any]) -> Any:
        if set(map(type, value)) <= {str} and _TAG not in value:
            if not self.lifts_strings and set(map(type, value.values())) <= _ATOMS:
                return value
            return {key: self.pack(item) for key, item in value.items()}
        return {_TAG: ["dict", self.pack_items(value), self.pack_items(value.values())]}

    def _pack_long_string(self, value: str) -> Any:
        if len(value) < _LONG:
            return value
        return {_TAG: ["str", self.add_buffer(value.encode("utf-8", "surrogatepass"))]}

    def _pack_tagged(self, value: Any, kind: type) -> list[Any]:
        registered = _encoders.get(kind)
        if registered is not None:
            name, function = registered
            return ["registered", name, self.pack(function(value))]
        known = _PACKERS.get(kind)
        if known is not None:
            tag, pack = known
            return [tag, *pack(value, self)]
        for pack_kind in _PACK_FAMILIES:
            packed = pack_kind(value, kind, self)
            if packed is not None:
                return packed
        if value is ELSEWHERE:
            raise EncodeError("a value that lives at another role cannot be sent from here")
        raise EncodeError(f"a value of type {kind.__module__}.{kind.__qualname__} cannot be sent")


_Pack = Callable[[Any, Packing], Iterable[Any]]
_Unpack = Callable[..., Any]
_PACKERS: dict[type, tuple[str, _Pack]] = {}
_PACK_FAMILIES: list[Callable[[Any, type, Packing], list[Any] | None]] = []
_UNPACKERS: dict[str, _Unpack] = {}


def add_tag(kind: type | None, tag: str, pack: _Pack | None, unpack: _Unpack) -> None:
    """Let values of exactly ``kind`` travel under ``tag``.

    ``pack(value, packing)`` gives the parts, ``unpack(buffers, depth, *parts)`` the value again.
    """
    if kind is not None and pack is not None:
        _PACKERS[kind] = (tag, pack)
    _UNPACKERS[tag] = unpack


def add_family(pack: Callable[[Any, type, Packing], list[Any] | None]) -> None:
    """Let values travel whose type is recognised by ``pack``, which gives None for others."""
    _PACK_FAMILIES.append(pack)


def register(kind: type[_T], name: str, encode: Callable[[_T], Any], decode: Callable[[Any], _T]) -> None:
    """Let values of exactly ``kind`` travel as ``name``: as what ``encode`` makes of them."""
    _encoders[kind] = (name, encode)
    _decoders[name] = decode


def encode(value: object) -> tuple[bytes, Sequence[Buffer]]:
    """The text of a payload and the buffers that its text refers to by position."""
    if type(value) in _SCALARS:
        return write_text(value), _NO_BUFFERS
    packing = Packing()
    tree = packing.pack(value)
    try:
        text = write_text(tree)
        if len(text) > _MUCH:
            # Long strings are bulk bytes too, but looking for them costs more than it saves in a short text.
            packing = Packing(lifts_strings=True)
            text = write_text(packing.pack(value))
        return text, packing.buffers
    except (ValueError, TypeError, OverflowError) as error:
        raise EncodeError(f"a value that cannot be written: {error}") from None


def decode(text: Buffer, buffers: Sequence[Buffer]) -> Any:
    """The value that ``encode`` was given, in terms of the caller's own classes."""
    try:
        tree = read_text(text)
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise DecodeError(f"the payload is not MessagePack: {str(error) or type(error).__name__}") from None
    return tree if type(tree) in _LEAVES else _unpack(tree, buffers, 0)


def copy_payload(value: _T) -> _T:
    """What the receiver gets when ``value`` is sent within one process."""
    if type(value) in _IMMUTABLE:
        return value
    text, buffers = encode(value)
    # The receiver must not share a buffer that the sender may still write to.
    copy: _T = decode(text, [bytearray(buffer) for buffer in buffers])
    return copy


def _unpack(tree: Any, buffers: Sequence[Buffer], depth: int) -> Any:
    kind = type(tree)
    if kind in _LEAVES:
        return tree
    if depth > 2 * _MAX_DEPTH:
        raise DecodeError("the payload is nested too deep")
    if kind is list:
        if set(map(type, tree)) <= _LEAVES:
            return tree
        return [_unpack(item, buffers, depth + 1) for item in tree]
    if kind is not dict:
        raise DecodeError(f"the payload has a {kind.__name__}, which no sender writes")
    if _TAG not in tree:
        if not set(map(type, tree)) <= {str}:
            raise DecodeError("the payload has a map with a key that is not a string")
        if set(map(type, tree.values())) <= _LEAVES:
            return tree
        return {key: _unpack(item, buffers, depth + 1) for key, item in tree.items()}
    told = tree[_TAG]
    if len(tree) != 1 or type(told) is not list or not told or type(told[0]) is not str:
        raise DecodeError("the payload has a damaged tag")
    tag, *parts = told
    unpack = _UNPACKERS.get(tag)
    if unpack is None:
        raise DecodeError(f"the payload has an unknown tag {tag[:100]!r}")
    try:
        return unpack(buffers, depth + 1, *parts)
    except DecodeError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError, MemoryError) as error:
        raise DecodeError(f"the payload has a damaged {tag}: {str(error)[:200]}") from None


def unpack_items(buffers: Sequence[Buffer], depth: int, items: Any) -> list[Any]:
    """The values of a list within a tag."""
    if type(items) is dict:
        items = _unpack(items, buffers, depth)  # a long list of numbers, which is a tag of its own
    if type(items) is not list:
        raise DecodeError("the payload has something else where a list belongs")
    return [_unpack(item, buffers, depth) for item in items]


def unpack_one(buffers: Sequence[Buffer], depth: int, item: Any) -> Any:
    """One value within a tag."""
    return _unpack(item, buffers, depth)


def take_buffer(buffers: Sequence[Buffer], position: Any) -> Buffer:
    """The buffer to which a payload refers."""
    if type(position) is not int or not 0 <= position < len(buffers):
        raise DecodeError("the payload refers to no buffer")
    return buffers[position]


def check_hashes(keys: Sequence[Any]) -> None:
    """Refuse keys chosen to collide: a table of n of them would take time n².

    Strings and bytes have hashes that no sender can foresee; numbers, and tuples of them, have not.
    """
    if len(keys) > _COLLIDING and not set(map(type, keys)) <= {str, bytes}:
        _, most = Counter(map(hash, keys)).most_common(1)[0]
        if most > _COLLIDING:
            raise DecodeError(f"the payload has {most} keys with one hash; at most {_COLLIDING} are accepted")


def _unpack_dict(buffers: Sequence[Buffer], depth: int, keys: Any, values: Any) -> dict[Any, Any]:
    names = unpack_items(buffers, depth, keys)
    check_hashes(names)
    made = dict(zip(names, unpack_items(buffers, depth, values), strict=True))
    if len(made) != len(names):
        raise DecodeError("the payload has a dictionary with one key twice")
    return made


def _unpack_set(buffers: Sequence[Buffer], depth: int, items: Any) -> set[Any]:
    values = unpack_items(buffers, depth, items)
    check_hashes(values)
    return set(values)


def _unpack_numbers(code: Literal["d", "q"]) -> _Unpack:
    def unpack(buffers: Sequence[Buffer], _depth: int, position: Any) -> list[Any]:
        data = memoryview(take_buffer(buffers, position)).cast("B")
        if sys.byteorder == "big":
            return list(struct.unpack(f"<{len(data) // 8}{code}", data))
        numbers: list[Any] = data.cast(code).tolist()
        return numbers

    return unpack


def _unpack_bytes(buffers: Sequence[Buffer], _depth: int, data: Any) -> bytes:
    return bytes(take_buffer(buffers, data))


def _unpack_registered(buffers: Sequence[Buffer], depth: int, name: Any, item: Any) -> Any:
    function = _decoders.get(name)
    if function is None:
        raise DecodeError(f"nothing is registered as {name!r} at the receiver")
    return function(_unpack(item, buffers, depth))


def _pack_complex(value: complex, _packing: Packing) -> list[float]:
    return [value.real, value.imag]


def _unpack_complex(_buffers: Sequence[Buffer], _depth: int, real: float, imaginary: float) -> complex:
    if type(real) is not float or type(imaginary) is not float:
        raise DecodeError("the payload has a damaged complex number")
    return complex(real, imaginary)


add_tag(None, "tuple", None, lambda buffers, depth, items: tuple(unpack_items(buffers, depth, items)))
add_tag(None, "dict", None, _unpack_dict)
add_tag(None, "floats", None, _unpack_numbers("d"))
add_tag(None, "ints", None, _unpack_numbers("q"))
add_tag(None, "bytes", None, _unpack_bytes)
add_tag(None, "str", None, lambda buffers, _d, at: str(take_buffer(buffers, at), "utf-8", "surrogatepass"))
add_tag(None, "registered", None, _unpack_registered)
add_tag(set, "set", lambda value, packing: [packing.pack_items(value)], _unpack_set)
add_tag(
    frozenset,
    "frozenset",
    lambda value, packing: [packing.pack_items(value)],
    lambda buffers, depth, items: frozenset(_unpack_set(buffers, depth, items)),
)
add_tag(
    bytearray,
    "bytearray",
    lambda value, packing: [packing.add_buffer(value)],
    lambda buffers, _depth, position: bytearray(take_buffer(buffers, position)),
)
add_tag(
    memoryview,
    "bytes",
    lambda value, packing: [packing.add_buffer(value.tobytes())],
    _unpack_bytes,
)
add_tag(complex, "complex", _pack_complex, _unpack_complex)
