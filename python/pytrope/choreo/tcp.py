"""Channels over TCP and TLS, with blocking sockets."""

from __future__ import annotations

import contextlib
import socket
import ssl
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


class TcpEndpoint(Endpoint):
    """An end whose peer is reached through a socket."""

    __slots__ = ("_link", "_reader", "_socket", "_timeout", "deadline", "peer", "role")

    def __init__(self, connection: socket.socket, link: Link, deadline: float) -> None:
        self.role = link.role
        self.peer = link.peer
        self.deadline = deadline
        self._socket = connection
        self._link = link
        self._reader = FrameReader(link.max_frame)
        self._timeout = deadline
        connection.settimeout(deadline)
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
        self._set_timeout(self.deadline)
        try:
            self._socket.sendall(frame)
        except TimeoutError:
            self._link.fail(DeadlineExceeded(f"{self.peer} did not read within {self.deadline:g} s"))
        except OSError as error:
            self._link.fail(self._last_words(error))

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
                    self._set_timeout(max(limit, 1e-6))
                    end = time.monotonic() + limit
                else:
                    self._set_timeout(max(end - time.monotonic(), 1e-6))
                data = self._socket.recv(_CHUNK)
                if not data:
                    raise self._ended()
                reader.feed(data)
        except TimeoutError:
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
            self._set_timeout(1e-3)
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
                self._set_timeout(min(self.deadline, 1.0))
                self._socket.sendall(frame)
            self._socket.shutdown(socket.SHUT_WR)
        except (OSError, ChoreoError):
            pass  # the peer is beyond hearing; its own deadline or the closed socket tells it
        finally:
            self._socket.close()

    def _set_timeout(self, seconds: float) -> None:
        if seconds != self._timeout:
            self._socket.settimeout(seconds)
            self._timeout = seconds


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
