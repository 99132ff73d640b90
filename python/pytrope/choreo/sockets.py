"""Frames over a connected socket, plain or TLS, with deadlines that hold under any rate of signals.

The socket never blocks: every wait is a ``poll`` for what is left of the deadline, which Python resumes
with the rest of the time after a signal.  A partial send goes on where it stopped.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Sequence

from .codec import Buffer
from .errors import FrameError
from .frames import HEADER, Frame, FrameReader, Kind
from .link import Link
from .sites import Site
from .transport import Transport

__all__ = ["SocketTransport", "open_transport"]

_PIECES = 512  # the system takes at most 1024 in one call
_RECORD = 1 << 14  # bytes that one record of TLS holds
_SMALL = 8192  # bytes that are read at first: most frames have less
_HEADER = HEADER.size
_monotonic, _read, _write = time.monotonic, os.read, os.write


class SocketTransport(Transport):
    """Frames over a socket by the portable calls; `PosixTransport` saves some of them, `TlsTransport` needs more."""

    def __init__(self, connection: socket.socket, link: Link) -> None:
        connection.setblocking(False)
        with contextlib.suppress(OSError):  # a socket pair of another family has no such option
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection = connection
        self._peer = link.peer
        self._reader = FrameReader(link.max_frame, link.max_text)
        # Held while a frame is written; heartbeats come from another thread.
        self.lock: threading.Lock | None = None
        self._rest: list[Buffer] = []

    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        if self.lock is None:
            self._send(pieces, timeout)
            return
        end = _monotonic() + timeout
        if not self.lock.acquire(timeout=timeout):
            raise TimeoutError
        try:
            self._send([*self._rest, *pieces], max(end - _monotonic(), 0.0))
            self._rest = []
        finally:
            self.lock.release()

    def send_at_once(self, pieces: Sequence[Buffer]) -> None:
        """Send a small frame if nothing else is being sent and there is room for it; from any thread."""
        if self.lock is None or not self.lock.acquire(blocking=False):
            return
        try:
            if not self._rest:
                left = list(pieces)
                left = _drop(left, self._write(left))
                # A frame that was begun must be ended before the next.
                self._rest = left if len(left) != len(pieces) or left[0] is not pieces[0] else []
        except OSError:
            pass  # the owner of this end will notice
        finally:
            self.lock.release()

    def receive_frame(self, timeout: float) -> Frame:
        reader = self._reader
        frame = reader.next()
        if frame is not None:
            return frame
        end = _monotonic() + timeout
        left = timeout
        while True:
            self._wait_readable(left)
            count = self._read(reader.target)
            if count == 0:
                if reader.partial:
                    raise FrameError(f"truncated: {self._peer} ended within a frame")
                raise EOFError
            if count > 0:
                reader.advance(count)
                frame = reader.next()
                if frame is not None:
                    return frame
            left = end - _monotonic()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
        self.connection.close()

    def _send(self, pieces: Sequence[Buffer], timeout: float) -> None:
        end = None
        left: list[Buffer] = list(pieces)
        while True:
            left = _drop(left, self._write(left))
            if not left:
                return
            if end is None:
                end = _monotonic() + timeout
            self._wait_writable(end - _monotonic())

    def _write(self, pieces: list[Buffer]) -> int:
        """How many bytes the system took now."""
        try:
            return self.connection.send(pieces[0])
        except BlockingIOError:
            return 0

    def _read(self, target: memoryview) -> int:
        """How many bytes came; 0 at the end of the stream, -1 when there are none yet."""
        try:
            return self.connection.recv_into(target)
        except BlockingIOError:
            return -1

    def _wait_readable(self, seconds: float) -> None:
        self._wait(selectors.EVENT_READ, seconds)

    def _wait_writable(self, seconds: float) -> None:
        self._wait(selectors.EVENT_WRITE, seconds)

    def _wait(self, event: int, seconds: float) -> None:
        # A selector waits at least once, also when no time is left, and goes on after a signal with the rest.
        with selectors.DefaultSelector() as selector:
            selector.register(self.connection, event)
            if not selector.select(max(seconds, 0.0)):
                raise TimeoutError


class PosixTransport(SocketTransport):
    """The same by the calls of POSIX, which take and fill many pieces at once."""

    def __init__(self, connection: socket.socket, link: Link) -> None:
        super().__init__(connection, link)
        self._number = connection.fileno()
        self._clean = True
        self._small = min(link.max_frame, link.max_text)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self._number, select.POLLIN)
        self._writable.register(self._number, select.POLLOUT)

    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        if self.lock is None and len(pieces) == 1:
            piece = pieces[0]
            try:
                count = _write(self._number, piece)
            except BlockingIOError:
                count = 0
            if count == len(piece):
                return
            pieces = [memoryview(piece)[count:]]
        super().send_frame(pieces, timeout)

    def receive_frame(self, timeout: float) -> Frame:
        return self._receive_rest(timeout)

    def receive_expected(self, link: Link, kind: Kind, site: Site, end: float) -> bytes | Frame:
        left = end - _monotonic()
        if not self._clean:
            return self._receive_rest(left)
        if not self._readable.poll(left * 1000 if left > 0 else 0):
            raise TimeoutError
        try:
            data = _read(self._number, _SMALL)
        except BlockingIOError:
            return self._receive_rest(end - _monotonic())
        size = len(data) - _HEADER
        if 0 <= size <= self._small and data[:_HEADER] == link.expect_header(kind, size, site):
            return data[_HEADER:]
        if not data:
            raise EOFError
        self._reader.feed(data)
        return self._receive_rest(end - _monotonic())

    def _receive_rest(self, timeout: float) -> Frame:
        """The next frame where bytes of it, or of others before it, are in the reader."""
        self._clean = False
        frame = super().receive_frame(timeout)
        self._clean = not self._reader.partial
        return frame

    def _write(self, pieces: list[Buffer]) -> int:
        try:
            return os.writev(self._number, pieces[:_PIECES])
        except BlockingIOError:
            return 0

    def _read(self, target: memoryview) -> int:
        try:
            return os.readv(self._number, [target])
        except BlockingIOError:
            return -1

    def _wait_readable(self, seconds: float) -> None:
        if not self._readable.poll(max(seconds, 0.0) * 1000):
            raise TimeoutError

    def _wait_writable(self, seconds: float) -> None:
        if not self._writable.poll(max(seconds, 0.0) * 1000):
            raise TimeoutError

    def close(self) -> None:
        # The number may soon be another connection's.
        self._number = -1
        super().close()


class TlsTransport(SocketTransport):
    """The same within TLS, which may want to write in order to read and keeps bytes of its own."""

    connection: ssl.SSLSocket

    def __init__(self, connection: ssl.SSLSocket, link: Link) -> None:
        super().__init__(connection, link)
        self._wants_write = self._wants_read = False

    def _send(self, pieces: Sequence[Buffer], timeout: float) -> None:
        if sum(map(len, pieces)) < _RECORD:
            pieces = [b"".join(pieces)]  # one record of TLS instead of many
        super()._send(pieces, timeout)

    def _write(self, pieces: list[Buffer]) -> int:
        try:
            return self.connection.send(pieces[0]) if len(pieces[0]) else 0
        except ssl.SSLWantWriteError:
            return 0
        except ssl.SSLWantReadError:
            self._wants_read = True
            return 0

    def _read(self, target: memoryview) -> int:
        lock = self.lock
        if lock is not None:
            lock.acquire()  # one thread at a time within TLS
        try:
            return self.connection.recv_into(target)
        except ssl.SSLWantReadError:
            return -1
        except ssl.SSLWantWriteError:
            self._wants_write = True
            return -1
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return 0
        finally:
            if lock is not None:
                lock.release()

    def _wait_readable(self, seconds: float) -> None:
        if self.connection.pending():
            return
        writing, self._wants_write = self._wants_write, False
        self._wait(selectors.EVENT_WRITE if writing else selectors.EVENT_READ, seconds)

    def _wait_writable(self, seconds: float) -> None:
        reading, self._wants_read = self._wants_read, False
        self._wait(selectors.EVENT_READ if reading else selectors.EVENT_WRITE, seconds)


def _drop(pieces: list[Buffer], count: int) -> list[Buffer]:
    """What is left of ``pieces`` after ``count`` bytes of them."""
    for at, piece in enumerate(pieces):
        if count < len(piece):
            return [memoryview(piece)[count:], *pieces[at + 1 :]] if count else pieces[at:]
        count -= len(piece)
    return []


def open_transport(connection: socket.socket, link: Link) -> SocketTransport:
    """Frames over a connected socket, by the best means the system has."""
    if isinstance(connection, ssl.SSLSocket):
        return TlsTransport(connection, link)
    if hasattr(select, "poll") and hasattr(os, "readv"):
        return PosixTransport(connection, link)
    return SocketTransport(connection, link)
