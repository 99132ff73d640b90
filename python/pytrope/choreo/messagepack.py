"""MessagePack text: by the ``msgpack`` library where it is installed, else by the small writer and reader here.

Both write the same bytes for the same value, so roles with and without the library understand each
other; the library (``pip install pytrope[choreo]``) is several times faster.  Only what `codec` makes
of a payload passes here: None, booleans, integers, floats, strings, bytes, lists, and dictionaries with
string keys.
"""

from __future__ import annotations

import contextlib
import importlib
import struct
from collections.abc import Callable
from typing import Any

__all__ = ["BIG_INT", "ROOT_LIMIT", "library", "read_text", "read_text_plainly", "write_text", "write_text_plainly"]

BIG_INT = 1
"""The extension type of integers over 64 bits: two's complement, big endian."""

ROOT_LIMIT = 400
"""Levels of nesting that both readers accept; `codec` allows fewer."""

library: Any = None
"""The ``msgpack`` package, or None where it is not installed."""
with contextlib.suppress(ImportError):
    library = importlib.import_module("msgpack")

_WORD = 1 << 63
# The bytes of an integer's text by its first one; integers are the most frequent payload.
_WIDTHS = {code: 1 for code in range(0x80)}
_WIDTHS |= {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9}
_UNCHECKED = 1024  # bytes; a shorter text cannot make a reader allocate much, whatever it claims


def _big(value: Any) -> Any:
    if type(value) is int:
        return library.ExtType(BIG_INT, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
    raise TypeError(f"no MessagePack for {type(value).__name__}")


def _read_extension(code: int, data: bytes) -> Any:
    if code != BIG_INT:
        raise ValueError(f"an unknown extension {code}")
    return int.from_bytes(data, "big", signed=True)


def _make_library_functions(msgpack: Any) -> tuple[Callable[[Any], bytes], Callable[[Any], Any]]:
    packer, unpack, unpacker = msgpack.Packer, msgpack.unpackb, msgpack.Unpacker
    from_bytes = int.from_bytes

    # No Python runs while this one writes an integer, so all threads can share it.
    write_integer = packer(buf_size=64).pack

    def write(value: Any) -> bytes:
        if type(value) is int and -_WORD <= value < _WORD:
            integer: bytes = write_integer(value)
            return integer
        # A packer of its own for each text: `default` runs Python, during which other threads may write too.
        made: bytes = packer(default=_big, strict_types=True, unicode_errors="surrogatepass", buf_size=256).pack(value)
        return made

    def read(text: Any) -> Any:
        size = len(text)
        if size <= 9 and size and size == _WIDTHS.get(code := text[0]):
            return code if size == 1 else from_bytes(text[1:], "big", signed=code >= 0xD0)
        if size > _UNCHECKED:
            # The library allocates lists of the length that a header claims, nested ones too.  Passing over
            # the text first makes sure that every claim is backed by bytes, without allocating anything.
            scan = unpacker(max_buffer_size=len(text))
            scan.feed(text)
            try:
                scan.skip()
            except msgpack.OutOfData:
                raise ValueError("it ends too soon") from None
        return unpack(text, strict_map_key=True, unicode_errors="surrogatepass", ext_hook=_read_extension)

    return write, read


def write_text_plainly(value: Any) -> bytes:
    """The same bytes as the library's, by Python alone."""
    made = bytearray()
    _write(value, made.extend, 0)
    return bytes(made)


def _write(value: Any, put: Callable[[bytes], None], depth: int) -> None:
    kind = type(value)
    if value is None:
        put(b"\xc0")
    elif kind is bool:
        put(b"\xc3" if value else b"\xc2")
    elif kind is int:
        put(_integer(value))
    elif kind is float:
        put(b"\xcb" + struct.pack(">d", value))
    elif kind is str:
        data = value.encode("utf-8", "surrogatepass")
        put(_head(len(data), 0xA0, 32, 0xD9) + data)
    elif kind is bytes:
        put(_head(len(value), 0, 0, 0xC4) + value)
    elif kind is list:
        _check_depth(depth)
        put(_head(len(value), 0x90, 16, 0xDB, shortest=0))
        for item in value:
            _write(item, put, depth + 1)
    elif kind is dict:
        _check_depth(depth)
        put(_head(len(value), 0x80, 16, 0xDD, shortest=0))
        for key, item in value.items():
            _write(key, put, depth + 1)
            _write(item, put, depth + 1)
    else:
        raise TypeError(f"no MessagePack for {kind.__name__}")


def _check_depth(depth: int) -> None:
    if depth > ROOT_LIMIT:
        raise ValueError("nested too deep")


def _head(length: int, fixed: int, below: int, code: int, *, shortest: int = 0x100) -> bytes:
    """The header of a length: within one byte, or ``code`` with 8 bits, the next with 16, the one after with 32."""
    if length < below:
        return bytes((fixed | length,))
    if length < shortest:
        return bytes((code, length))
    return struct.pack(">BH", code + 1, length) if length < 0x10000 else struct.pack(">BI", code + 2, length)


def _integer(value: int) -> bytes:
    if -32 <= value < 128:
        return struct.pack("b", value) if value < 0 else bytes((value,))
    for code, form, low, high in _INTEGERS:
        if low <= value <= high:
            return struct.pack(form, code, value)
    data = value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True)
    fixed = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}.get(len(data))
    if fixed is not None:
        return struct.pack("BB", fixed, BIG_INT) + data
    if len(data) < 0x100:
        return struct.pack("BBB", 0xC7, len(data), BIG_INT) + data
    form = ">BHB" if len(data) < 0x10000 else ">BIB"
    return struct.pack(form, 0xC8 if len(data) < 0x10000 else 0xC9, len(data), BIG_INT) + data


_INTEGERS = (
    (0xCC, ">BB", 0, 0xFF),
    (0xCD, ">BH", 0, 0xFFFF),
    (0xCE, ">BI", 0, 0xFFFFFFFF),
    (0xCF, ">BQ", 0, (1 << 64) - 1),
    (0xD0, ">Bb", -0x80, 0),
    (0xD1, ">Bh", -0x8000, 0),
    (0xD2, ">Bi", -(1 << 31), 0),
    (0xD3, ">Bq", -(1 << 63), 0),
)


def read_text_plainly(text: Any) -> Any:
    """The same value as the library's reader gives, by Python alone; ``ValueError`` for anything else."""
    reader = _Reader(bytes(text))
    value = reader.value(0)
    if reader.at != len(reader.text):
        raise ValueError("more follows after its end")
    return value


class _Reader:
    """Reads one value; never allocates for a length that the text does not hold."""

    __slots__ = ("at", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.at = 0

    def take(self, length: int) -> bytes:
        data = self.text[self.at : self.at + length]
        if len(data) < length:
            raise ValueError("it ends too soon")
        self.at += length
        return data

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def value(self, depth: int) -> Any:
        if depth > ROOT_LIMIT:
            raise ValueError("nested too deep")
        code = self.take(1)[0]
        if code < 0x80:
            return code
        if code >= 0xE0:
            return code - 0x100
        if code < 0x90:
            return self.map(code & 0x0F, depth)
        if code < 0xA0:
            return self.list(code & 0x0F, depth)
        if code < 0xC0:
            return self.string(code & 0x1F)
        return self.coded(code, depth)

    def coded(self, code: int, depth: int) -> Any:
        if code in _CONSTANTS:
            return _CONSTANTS[code]
        if code in _NUMBERS:
            return self.number(_NUMBERS[code])
        if 0xC4 <= code <= 0xC6:
            return self.take(self.number((">B", ">H", ">I")[code - 0xC4]))
        if 0xC7 <= code <= 0xC9:
            length = self.number((">B", ">H", ">I")[code - 0xC7])
            return _read_extension(self.number(">b"), self.take(length))
        if 0xD4 <= code <= 0xD8:
            return _read_extension(self.number(">b"), self.take(1 << (code - 0xD4)))
        if 0xD9 <= code <= 0xDB:
            return self.string(self.number((">B", ">H", ">I")[code - 0xD9]))
        if code in (0xDC, 0xDD):
            return self.list(self.number(">H" if code == 0xDC else ">I"), depth)
        if code in (0xDE, 0xDF):
            return self.map(self.number(">H" if code == 0xDE else ">I"), depth)
        raise ValueError(f"the byte {code:#x} begins nothing")

    def string(self, length: int) -> str:
        return self.take(length).decode("utf-8", "surrogatepass")

    def list(self, length: int, depth: int) -> Any:
        return [self.value(depth + 1) for _ in range(length)]

    def map(self, length: int, depth: int) -> Any:
        made = {}
        for _ in range(length):
            key = self.value(depth + 1)
            if type(key) not in (str, bytes):
                raise ValueError("a map with a key that is not a string")
            made[key] = self.value(depth + 1)
        return made


_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q"}
_NUMBERS |= {0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}

write_text: Callable[[Any], bytes]
read_text: Callable[[Any], Any]
if library is None:
    write_text, read_text = write_text_plainly, read_text_plainly
else:
    write_text, read_text = _make_library_functions(library)
