"""Channels over TCP and TLS, with blocking sockets."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .codec import decode
from .endpoint import DEADLINE, Endpoint
from .errors import ChoreoError, DeadlineExceeded, FrameError, PeerAborted, PeerGone, ProtocolError
from .frames import MAX_FRAME, Frame, FrameReader, Kind
from .link import Link, check_label

__all__ = ["Listener", "Session", "TcpEndpoint", "connect", "parse_address", "tcp_channel"]

_CHUNK = 1 << 16
_RETRY = 0.05  # seconds between attempts to reach a peer that does not listen yet
_GLANCE = 0.2  # seconds between a waiting listener's looks at whether it was closed
_HELLO = 5.0  # seconds that a stranger may take to introduce itself


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
        self._transmit(self._link.write(Kind.VALUE, value, site))

    def recv(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        return self._link.read(self._next_frame(timeout), Kind.VALUE, site)

    def select(self, label: Enum, *, site: str | None = None) -> None:
        check_label(label)
        self._transmit(self._link.write(Kind.LABEL, label, site))

    def offer(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        return self._link.read(self._next_frame(timeout), Kind.LABEL, site)

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


class Listener:
    """A socket at which one role awaits the others."""

    def __init__(self, address: str | tuple[str, int], role: str, *, session: Session | None = None) -> None:
        self.role = role
        self._closed = False
        self._session = session or Session()
        host, port = parse_address(address)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family)
        except OSError as error:
            raise ChoreoError(f"{role} cannot listen at {host}:{port}: {error}") from None
        self.address: tuple[str, int] = self._socket.getsockname()[:2]

    def accept(self, peer: str, channel: str = "") -> TcpEndpoint:
        """The end to one peer, once it has connected."""
        return self.accept_all([(peer, channel)])[peer, channel]

    def accept_all(self, awaited: list[tuple[str, str]]) -> dict[tuple[str, str], TcpEndpoint]:
        """The ends to all awaited (peer, channel) pairs, in whatever order they come."""
        end = time.monotonic() + self._session.deadline
        ends: dict[tuple[str, str], TcpEndpoint] = {}
        strangers = 0
        try:
            while len(ends) < len(set(awaited)):
                left = end - time.monotonic()
                try:
                    self._socket.settimeout(min(max(left, 1e-6), _GLANCE))
                    connection, _ = self._socket.accept()
                except (TimeoutError, OSError) as error:
                    if self._closed:
                        raise ChoreoError(f"{self.role} listens no more") from None
                    if not isinstance(error, TimeoutError):
                        raise PeerGone(f"{self.role} cannot listen: {error}") from None
                    if left > 0:
                        continue
                    missing = ", ".join(f"{p} ({c})" if c else p for p, c in awaited if (p, c) not in ends)
                    refused = f"; {strangers} other connections were refused" if strangers else ""
                    raise DeadlineExceeded(f"{self.role} still awaits {missing}{refused}") from None
                pending = [pair for pair in awaited if pair not in ends]
                met = self._meet(connection, pending, max(end - time.monotonic(), 1e-3))
                if met is None:
                    strangers += 1
                else:
                    pair, endpoint = met
                    ends[pair] = endpoint
        except BaseException:
            for endpoint in ends.values():
                endpoint.abort("could not meet all its peers")
            raise
        return ends

    def close(self) -> None:
        """Stop listening; connected ends live on, and a thread that still waits here is freed."""
        self._closed = True
        self._socket.close()

    def _meet(
        self, connection: socket.socket, pending: list[tuple[str, str]], left: float
    ) -> tuple[tuple[str, str], TcpEndpoint] | None:
        """Who has connected; None for a stranger, who must not be able to stop the others."""
        session = self._session
        try:
            if session.server_tls is not None:
                connection.settimeout(min(_HELLO, left))
                connection = session.server_tls.wrap_socket(connection, server_side=True)
            endpoint = TcpEndpoint(connection, session.link(self.role, "a stranger", ""), min(_HELLO, left))
            frame = endpoint._next_frame(None)
            told = decode(frame.text, frame.buffers)
            pair = (told["role"], told["channel"]) if frame.kind is Kind.HELLO else None
        except (OSError, ChoreoError, KeyError, TypeError):
            connection.close()
            return None
        if pair not in pending:
            endpoint.abort(f"{self.role} awaits no such peer")
            return None
        endpoint._link = link = session.link(self.role, *pair)
        endpoint.peer = link.peer
        endpoint.deadline = session.deadline
        # Greet before judging: a peer of another session learns of it from this frame's header.
        endpoint._transmit(link.hello())
        try:
            link.check_hello(link.read(frame, Kind.HELLO))
        except ChoreoError:
            connection.close()
            raise
        return pair, endpoint


def tcp_channel(first: str, second: str, *, session: Session | None = None) -> tuple[TcpEndpoint, TcpEndpoint]:
    """Both ends of a channel through the loopback interface, for tests and simulations."""
    listener = Listener(("127.0.0.1", 0), second, session=session)
    try:
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(listener.accept, first)
            end = connect(listener.address, first, second, session=session)
            return end, other.result()
    finally:
        listener.close()
