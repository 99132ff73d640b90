"""Frames: a fixed header that says whose message this is, then its payload.

The header repeats the session and the choreography in every frame, so a stray or stale
message is recognised wherever it turns up, not only when a connection begins.

    header   magic, version, kind, number of buffers, length of the text, length of the body,
             session, choreography, sequence number, site
    body     the lengths of the buffers, the buffers, each beginning at a multiple of 16 bytes, the text
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from .codec import Buffer
from .errors import FrameError, FrameTooLarge

__all__ = [
    "HEADER",
    "MAGIC",
    "MAX_BUFFERS",
    "MAX_FRAME",
    "MAX_TEXT",
    "VERSION",
    "Frame",
    "FrameReader",
    "Kind",
    "key_of",
    "read_frame",
    "site_key",
    "write_frame",
]

MAX_FRAME = 64 << 20
MAX_TEXT = 16 << 20
"""Bytes of MessagePack in a frame: a byte of it can become up to 80 bytes of objects, one of a buffer only one."""
MAX_BUFFERS = 1 << 16
"""Buffers of a frame: one costs its reader some 200 bytes, whatever its length."""
MAGIC = b"PTRO"
VERSION = 2
HEADER = struct.Struct(">4sBBIIQQQQI")
_ALIGN = 16
_DIRECT = 16 << 10  # bytes of a body that is worth a piece of memory of its own
_CHUNK = 1 << 16
_PADDING = bytes(_ALIGN)


class Kind(IntEnum):
    """What a frame is for."""

    HELLO = 1
    VALUE = 2
    LABEL = 3
    ABORT = 4
    CLOSE = 5
    REFUSED = 6
    HEARTBEAT = 7
    SETTLED = 8
    OUTCOME = 9


_KINDS = {int(kind): kind for kind in Kind}


class Frame(NamedTuple):
    """One message as it arrived, not yet believed."""

    kind: Kind
    session: int
    choreography: int
    sequence: int
    site: int
    text: Buffer
    buffers: Sequence[Buffer] = ()


@lru_cache(maxsize=256)
def key_of(name: str) -> int:
    """A session's or a choreography's name as it stands in headers."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")


@lru_cache(maxsize=1024)
def site_key(site: int | str | None) -> int:
    """A place in the choreography as it stands in headers; 0 means that none was given.

    Numbers are those of a projection; names, which programs written by hand may give, have the top bit set.
    """
    if not site:
        return 0
    if isinstance(site, int):
        if not 0 < site < 1 << 31:
            raise ValueError(f"a site is a number from 1 to {(1 << 31) - 1}, not {site}")
        return site
    return zlib.crc32(site.encode()) | 1 << 31


def write_frame(
    kind: int,
    session: int,
    choreography: int,
    sequence: int,
    site: int,
    text: bytes,
    buffers: Sequence[Buffer] = (),
    max_frame: int = MAX_FRAME,
    max_text: int = MAX_TEXT,
) -> list[Buffer]:
    """The pieces of a frame; refuses here, before anything is sent, what the peer would refuse."""
    size = len(text)
    if size > max_text:
        raise FrameTooLarge(f"a message with {size} bytes of structure; at most {max_text} are allowed")
    if not buffers:
        if size > max_frame:
            raise FrameTooLarge(f"a message of {size} bytes; at most {max_frame} are allowed")
        return [HEADER.pack(MAGIC, VERSION, kind, 0, size, size, session, choreography, sequence, site) + text]
    count = len(buffers)
    if count > MAX_BUFFERS:
        raise FrameTooLarge(f"a message of {count} buffers; at most {MAX_BUFFERS} are allowed")
    sizes = [len(buffer) for buffer in buffers]
    table = struct.pack(f">{count}Q", *sizes)
    pieces: list[Buffer] = [b""]
    body = len(table)
    for buffer, length in zip(buffers, sizes, strict=True):
        gap = -body % _ALIGN
        if gap:
            pieces.append(_PADDING[:gap])
        pieces.append(buffer)
        body += gap + length
    pieces.append(text)
    body += size
    if body > max_frame:
        raise FrameTooLarge(f"a message of {body} bytes; at most {max_frame} are allowed")
    header = HEADER.pack(MAGIC, VERSION, kind, count, size, body, session, choreography, sequence, site)
    pieces[0] = header + table
    return pieces


def read_frame(data: Buffer, max_frame: int = MAX_FRAME, max_text: int = MAX_TEXT) -> Frame:
    """The frame that ``data`` is, for transports that keep messages apart."""
    if len(data) < HEADER.size:
        raise FrameError("a frame shorter than its header")
    header = _check_header(HEADER.unpack_from(data), max_frame, max_text)
    if len(data) != HEADER.size + header[5]:
        raise FrameError("a frame of a length that differs from the announced one")
    return _make_frame(header, memoryview(data)[HEADER.size :])


def _check_header(header: tuple[Any, ...], max_frame: int, max_text: int) -> tuple[Any, ...]:
    magic, version, kind, count, text, body = header[:6]
    if magic != MAGIC:
        raise FrameError(f"the peer sent {magic!r}, which begins no frame")
    if version != VERSION:
        raise FrameError(f"the peer speaks version {version} of the frames, not {VERSION}")
    if kind not in _KINDS:
        raise FrameError(f"a frame of unknown kind {kind}")
    if body > max_frame:
        raise FrameTooLarge(f"a frame of {body} bytes; at most {max_frame} are allowed")
    if text > max_text:
        raise FrameTooLarge(f"a frame with {text} bytes of structure; at most {max_text} are allowed")
    if count > MAX_BUFFERS:
        raise FrameTooLarge(f"a frame of {count} buffers; at most {MAX_BUFFERS} are allowed")
    if (8 * count + text > body) if count else text != body:
        raise FrameError("a frame shorter than the parts it announces")
    return header


def _make_frame(header: tuple[Any, ...], body: Buffer) -> Frame:
    _, _, kind, count, text, _, session, choreography, sequence, site = header
    if not count:
        return Frame(_KINDS[kind], session, choreography, sequence, site, body)
    view = memoryview(body)
    end = len(body) - text
    start = 8 * count
    buffers: list[Buffer] = []
    for size in struct.unpack_from(f">{count}Q", view):
        start += -start % _ALIGN
        if start + size > end:
            raise FrameError("a frame shorter than the buffers it announces")
        buffers.append(view[start : start + size])
        start += size
    if start != end:
        raise FrameError("a frame longer than the buffers it announces")
    return Frame(_KINDS[kind], session, choreography, sequence, site, view[end:], buffers)


class FrameReader:
    """Cuts a stream of bytes into frames; does no input or output itself.

    ``target`` is where the next bytes belong, ``advance`` says how many were put there.  A large body is
    received where it stays: arrays of a payload are views of it.
    """

    __slots__ = ("_body", "_buffer", "_end", "_filled", "_header", "_max_frame", "_max_text", "_start", "_view")

    def __init__(self, max_frame: int = MAX_FRAME, max_text: int = MAX_TEXT) -> None:
        self._buffer = bytearray(_CHUNK)
        self._view = memoryview(self._buffer)
        self._start = self._end = 0
        self._max_frame = max_frame
        self._max_text = max_text
        self._header: tuple[Any, ...] | None = None
        self._body: memoryview | None = None
        self._filled = 0

    @property
    def target(self) -> memoryview:
        """Where to put the bytes that arrive next; never empty."""
        if self._body is not None:
            return self._body[self._filled :]
        if self._start == self._end:
            self._start = self._end = 0
        elif self._end == _CHUNK:
            rest = self._end - self._start
            self._buffer[:rest] = self._buffer[self._start : self._end]
            self._start, self._end = 0, rest
        return self._view[self._end :]

    def advance(self, count: int) -> None:
        """Say that ``count`` bytes were put into ``target``."""
        if self._body is not None:
            self._filled += count
        else:
            self._end += count

    def feed(self, data: Buffer) -> None:
        """Add bytes that were received elsewhere, at most as many as ``target`` has room for."""
        self.target[: len(data)] = data
        self.advance(len(data))

    @property
    def partial(self) -> bool:
        """Whether the stream stopped within a frame."""
        return self._start != self._end or self._header is not None

    def next(self) -> Frame | None:
        """The next whole frame, or None when more bytes are needed."""
        header = self._header
        start = self._start
        have = self._end - start
        if header is None:
            if have < HEADER.size:
                # Garbage is recognised by its first bytes, not after a header's worth of waiting.
                if have and not MAGIC.startswith(seen := bytes(self._view[start : start + min(have, 4)])):
                    raise FrameError(f"the peer sent {seen!r}, which begins no frame")
                return None
            header = _check_header(HEADER.unpack_from(self._buffer, start), self._max_frame, self._max_text)
            start += HEADER.size
            have -= HEADER.size
            self._start = start
            self._header = header
        size: int = header[5]
        if self._body is None:
            if size <= _DIRECT:
                if have < size:
                    return None
                body = bytes(self._view[start : start + size])
                self._start = start + size
                self._header = None
                return _make_frame(header, body)
            taken = min(have, size)
            self._body = memoryview(bytearray(size))
            self._body[:taken] = self._view[start : start + taken]
            self._start = start + taken
            self._filled = taken
        if self._filled < size:
            return None
        whole, self._body, self._header = self._body, None, None
        return _make_frame(header, whole)
