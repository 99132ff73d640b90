"""Channels over TCP and TLS, with blocking sockets."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .endpoint import DEADLINE, Endpoint, site_of
from .errors import ChoreoError, DeadlineExceeded, FrameError, PeerAborted, PeerGone, ProtocolError
from .frames import MAX_FRAME, Frame, FrameReader, Kind
from .link import Link, check_label

__all__ = ["Session", "TcpEndpoint", "connect", "parse_address"]

_CHUNK = 1 << 16
_TIMEVAL = struct.Struct("@ll")
_RETRY = 0.05  # seconds between attempts to reach a peer that does not listen yet


@dataclass(frozen=True, kw_only=True)
class Session:
    """What all roles of one run must agree on, and how patient each is."""

    name: str = ""
    choreography: str = ""
    deadline: float = DEADLINE
    max_frame: int = MAX_FRAME
    client_tls: ssl.SSLContext | None = None
    server_tls: ssl.SSLContext | None = None

    def __post_init__(self) -> None:
        if not self.deadline > 0:
            raise ValueError("a deadline must be a positive number of seconds")

    def link(self, role: str, peer: str, channel: str) -> Link:
        """The fresh state of one channel of this session."""
        return Link(
            role,
            peer,
            session=self.name,
            choreography=self.choreography,
            channel=channel,
            max_frame=self.max_frame,
        )


def parse_address(address: str | tuple[str, int]) -> tuple[str, int]:
    """``"host:port"`` or ``"[::1]:port"`` as host and port."""
    if isinstance(address, tuple):
        return address
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"{address!r} is not HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


class _Limit:
    """How long an operation of a socket may take, as Python keeps the time: it asks before each."""

    __slots__ = ("_seconds", "_socket")

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._seconds = -1.0

    def set(self, seconds: float) -> None:
        if seconds != self._seconds:
            self._apply(max(seconds, 1e-6))
            self._seconds = seconds

    def _apply(self, seconds: float) -> None:
        self._socket.settimeout(seconds)


class _KernelLimit(_Limit):
    """The same kept by the system, which saves a call of it for every message."""

    __slots__ = ("_option",)

    def __init__(self, connection: socket.socket, option: int) -> None:
        super().__init__(connection)
        self._option = option

    def _apply(self, seconds: float) -> None:
        whole = int(seconds)
        # Zero would mean for ever.
        self._socket.setsockopt(
            socket.SOL_SOCKET, self._option, _TIMEVAL.pack(whole, max(int((seconds - whole) * 1e6), not whole))
        )


def _keeps_time(connection: socket.socket) -> bool:
    """Whether the system can be trusted with the deadlines of a socket."""
    return not isinstance(connection, ssl.SSLSocket) and sys.platform.startswith("linux")


class TcpEndpoint(Endpoint):
    """An end whose peer is reached through a socket."""

    __slots__ = ("_link", "_reader", "_receive_limit", "_send_limit", "_socket", "deadline", "peer", "role")

    def __init__(self, connection: socket.socket, link: Link, deadline: float) -> None:
        self.role = link.role
        self.peer = link.peer
        self.deadline = deadline
        self._socket = connection
        self._link = link
        self._reader = FrameReader(link.max_frame)
        self._receive_limit = self._send_limit = _Limit(connection)
        if _keeps_time(connection):
            self._receive_limit = _KernelLimit(connection, socket.SO_RCVTIMEO)
            self._send_limit = _KernelLimit(connection, socket.SO_SNDTIMEO)
            connection.settimeout(None)
        with contextlib.suppress(OSError):  # a socket pair of another family has no such option
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, value: object, *, site: str | None = None) -> None:
        self._transmit(self._link.write(Kind.VALUE, value, site or site_of(sys._getframe(1))))

    def recv(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        here = site or site_of(sys._getframe(1))
        return self._link.read(self._next_frame(timeout), Kind.VALUE, here)

    def select(self, label: Enum, *, site: str | None = None) -> None:
        check_label(label)
        self._transmit(self._link.write(Kind.LABEL, label, site or site_of(sys._getframe(1))))

    def offer(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        here = site or site_of(sys._getframe(1))
        return self._link.read(self._next_frame(timeout), Kind.LABEL, here)

    def abort(self, reason: str, origin: str | None = None) -> None:
        self._leave(lambda: self._link.abort_frame(origin or self.role, reason))

    def close(self) -> None:
        self._leave(lambda: self._link.write(Kind.CLOSE, None) if self._link.failure is None else None)
        if self._link.failure is None:
            self._link.failure = PeerGone(f"{self.role} has closed its end to {self.peer}")

    def _transmit(self, frame: bytes) -> None:
        try:
            self._send_limit.set(self.deadline)
            self._send(frame)
        except (TimeoutError, BlockingIOError):
            self._link.fail(DeadlineExceeded(f"{self.peer} did not read within {self.deadline:g} s"))
        except OSError as error:
            self._link.fail(self._last_words(error))

    def _send(self, frame: bytes) -> None:
        if self._send_limit is self._receive_limit:
            self._socket.sendall(frame)
        elif self._socket.send(frame) != len(frame):
            # The system sends all of it or gives up when the time has run out.
            raise TimeoutError

    def _next_frame(self, timeout: float | None) -> Frame:
        if self._link.failure is not None:
            raise self._link.failure
        limit = self.deadline if timeout is None else timeout
        reader = self._reader
        end: float | None = None
        try:
            while (frame := reader.next()) is None:
                # The clock is read only when one receive was not enough, or a slow peer could
                # stretch the deadline byte by byte.
                if end is None:
                    self._receive_limit.set(limit)
                    end = time.monotonic() + limit
                else:
                    self._receive_limit.set(end - time.monotonic())
                data = self._socket.recv(_CHUNK)
                if not data:
                    raise self._ended()
                reader.feed(data)
        except (TimeoutError, BlockingIOError):
            self._link.fail(DeadlineExceeded(f"{self.role} waited {limit:g} s for {self.peer}"))
        except ProtocolError as error:
            self._link.fail(error)
        except PeerGone as error:
            self._link.fail(error)
        except OSError as error:
            self._link.fail(PeerGone(f"{self.peer} is gone: {error}"))
        return frame

    def _ended(self) -> ChoreoError:
        if self._reader.partial:
            return FrameError(f"truncated: {self.peer} ended within a frame")
        return PeerGone(f"{self.peer} closed the connection to {self.role}")

    def _last_words(self, error: OSError) -> ChoreoError:
        """Why a send failed: an abort that waits unread says more than a broken pipe."""
        gone = PeerGone(f"{self.peer} is gone: {error}")
        try:
            self._receive_limit.set(1e-3)
            while data := self._socket.recv(_CHUNK):
                self._reader.feed(data)
        except OSError:
            pass
        try:
            while (frame := self._reader.next()) is not None:
                if frame.kind is Kind.ABORT:
                    self._link.read(frame, Kind.ABORT)
        except PeerAborted as aborted:
            return aborted
        except ChoreoError:
            return gone
        return gone

    def _leave(self, last_frame: Callable[[], bytes | None]) -> None:
        try:
            frame = last_frame()
            if frame is not None:
                self._send_limit.set(min(self.deadline, 1.0))
                self._send(frame)
            self._socket.shutdown(socket.SHUT_WR)
        except (OSError, ChoreoError):  # a TimeoutError is an OSError
            pass  # the peer is beyond hearing; its own deadline or the closed socket tells it
        finally:
            self._socket.close()


def connect(
    address: str | tuple[str, int], role: str, peer: str, channel: str = "", *, session: Session | None = None
) -> TcpEndpoint:
    """An end of ``role`` to ``peer``, which listens, or soon will, at ``address``."""
    session = session or Session()
    host, port = parse_address(address)
    end = time.monotonic() + session.deadline
    while True:
        try:
            connection = socket.create_connection((host, port), max(end - time.monotonic(), 1e-3))
            break
        except (ConnectionRefusedError, TimeoutError) as error:
            if time.monotonic() + _RETRY >= end:
                raise DeadlineExceeded(f"{role} could not reach {peer} at {host}:{port}: {error}") from None
            time.sleep(_RETRY)
        except OSError as error:
            raise PeerGone(f"{role} cannot reach {peer} at {host}:{port}: {error}") from None
    endpoint = None
    try:
        if session.client_tls is not None:
            connection = session.client_tls.wrap_socket(connection, server_hostname=host)
        endpoint = TcpEndpoint(connection, session.link(role, peer, channel), session.deadline)
        endpoint._transmit(endpoint._link.hello())
        told = endpoint._link.read(endpoint._next_frame(None), Kind.HELLO)
        endpoint._link.check_hello(told)
    except (ssl.SSLError, OSError) as error:
        connection.close()
        if isinstance(error, ChoreoError):
            raise
        raise PeerGone(f"{role} and {peer} could not agree on TLS: {error}") from None
    except ChoreoError:
        connection.close()
        raise
    return endpoint
