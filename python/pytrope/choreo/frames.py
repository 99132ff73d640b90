"""Frames: a fixed header that says whose message this is, then its payload.

The header repeats the session and the choreography in every frame, so a stray or stale
message is recognised wherever it turns up, not only when a connection begins.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from .codec import Buffer
from .errors import FrameError, FrameTooLarge

__all__ = ["HEADER", "MAX_FRAME", "Frame", "FrameReader", "Kind", "key_of", "site_key", "write_frame"]

MAX_FRAME = 64 << 20
MAGIC = b"PTRO"
VERSION = 1
_SIZE = struct.Struct(">I")
# magic, version, kind, number of buffers, body bytes, session, choreography, sequence number, site
HEADER = struct.Struct(">4sBBHIQQQI")


class Kind(IntEnum):
    """What a frame is for."""

    HELLO = 1
    VALUE = 2
    LABEL = 3
    ABORT = 4
    CLOSE = 5


_KINDS = {int(kind): kind for kind in Kind}


@dataclass(slots=True)
class Frame:
    """One message as it arrived, not yet believed."""

    kind: Kind
    session: int
    choreography: int
    sequence: int
    site: int
    text: Buffer
    buffers: Sequence[Buffer]


def key_of(name: str) -> int:
    """A session's or a choreography's name as it stands in headers."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")


@lru_cache(maxsize=1024)
def site_key(site: str | None) -> int:
    """A place in the choreography as it stands in headers; 0 means that none was given."""
    return 0 if site is None else zlib.crc32(site.encode()) or 1


def write_frame(
    kind: Kind,
    session: int,
    choreography: int,
    sequence: int,
    site: int,
    text: bytes,
    buffers: Sequence[Buffer] = (),
    max_frame: int = MAX_FRAME,
) -> bytes:
    """The bytes of a frame; refuses here, before anything is sent, what the peer would refuse."""
    body = len(text)
    if buffers:
        if len(buffers) > 0xFFFF:
            raise FrameTooLarge(f"{len(buffers)} buffers in one message; at most 65535 fit")
        body += 4 * len(buffers) + sum(len(buffer) for buffer in buffers)
    if body > max_frame:
        raise FrameTooLarge(f"a message of {body} bytes; at most {max_frame} are allowed")
    header = HEADER.pack(MAGIC, VERSION, kind, len(buffers), body, session, choreography, sequence, site)
    if not buffers:
        return header + text
    sizes = b"".join(_SIZE.pack(len(buffer)) for buffer in buffers)
    return b"".join((header, sizes, *buffers, text))


class FrameReader:
    """Cuts a stream of bytes into frames; does no input or output itself."""

    __slots__ = ("_data", "_max_frame")

    def __init__(self, max_frame: int = MAX_FRAME) -> None:
        self._data = bytearray()
        self._max_frame = max_frame

    def feed(self, data: bytes) -> None:
        """Add bytes as they arrived."""
        self._data += data

    @property
    def partial(self) -> bool:
        """Whether the stream stopped within a frame."""
        return bool(self._data)

    def next(self) -> Frame | None:
        """The next whole frame, or None when more bytes are needed."""
        data = self._data
        if not data:
            return None
        if len(data) < HEADER.size:
            # Garbage is recognised by its first bytes, not after a header's worth of waiting.
            if not MAGIC.startswith(data[: len(MAGIC)]):
                raise FrameError(f"the peer sent {bytes(data[:8])!r}, which begins no frame")
            return None
        magic, version, number, count, size, session, choreography, sequence, site = HEADER.unpack_from(data)
        if magic != MAGIC:
            raise FrameError(f"the peer sent {bytes(data[:8])!r}, which begins no frame")
        if version != VERSION:
            raise FrameError(f"the peer speaks version {version} of the frames, not {VERSION}")
        kind = _KINDS.get(number)
        if kind is None:
            raise FrameError(f"a frame of unknown kind {number}")
        if size > self._max_frame:
            raise FrameTooLarge(f"a frame of {size} bytes; at most {self._max_frame} are allowed")
        end = HEADER.size + size
        if len(data) < end:
            return None
        body = bytes(data[HEADER.size : end])
        del data[:end]
        if not count:
            return Frame(kind, session, choreography, sequence, site, body, ())
        text, buffers = _split(body, count)
        return Frame(kind, session, choreography, sequence, site, text, buffers)


def _split(body: bytes, count: int) -> tuple[Buffer, list[Buffer]]:
    view = memoryview(body)
    start = 4 * count
    if start > len(body):
        raise FrameError("a frame shorter than its own table of buffers")
    buffers: list[Buffer] = []
    for index in range(count):
        (size,) = _SIZE.unpack_from(body, 4 * index)
        if start + size > len(body):
            raise FrameError("a frame shorter than the buffers it announces")
        buffers.append(view[start : start + size])
        start += size
    return view[start:], buffers
