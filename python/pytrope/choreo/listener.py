"""Awaiting peers over TCP and TLS: a greeting is read in full only when its header is right.

The thread that calls `accept` reads from all connections.  A connection without a greeting is kept for a few
seconds, and at most a greeting's bytes are read from it; it cannot end the wait, take the place of an awaited
role, or fill the table of peers that connected before they were awaited.
"""

from __future__ import annotations

import contextlib
import errno
import selectors
import socket
import ssl
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

from .errors import ChoreoError, DeadlineExceeded, WrongPeer
from .frames import HEADER, Kind
from .hello import MAX_HELLO, Refusal, hello_text, judge_header, read_hello, refusal_frame
from .session import Session, parse_address
from .tcp import TcpEndpoint, connect

__all__ = ["Listener", "tcp_channel"]

_HELLO = 5.0  # seconds within which a connection must send its greeting
_MAX_UNIDENTIFIED = 256  # connections that have not sent a whole greeting
_ROOM = 64  # identified peers that are not awaited yet

_Pair = tuple[str, str]


class _Unidentified:
    """A connection whose greeting is not complete."""

    __slots__ = ("connection", "data", "end", "shaken", "wanted")

    def __init__(self, connection: socket.socket, end: float, *, tls: bool) -> None:
        self.connection = connection
        self.data = bytearray()
        self.end = end
        self.shaken = not tls
        self.wanted = HEADER.size

    def hear(self, session: Session) -> tuple[str, str, str] | None:
        """The greeting, once it is there; a refusal as soon as it cannot become one."""
        while True:
            try:
                if not self.shaken:
                    assert isinstance(self.connection, ssl.SSLSocket)
                    self.connection.do_handshake()
                    self.shaken = True
                data = self.connection.recv(self.wanted - len(self.data))
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return None
            if not data:
                raise Refusal("", "a connection that said nothing")
            self.data += data
            if len(self.data) < self.wanted:
                continue
            if self.wanted == HEADER.size:
                length = judge_header(bytes(self.data), session.name, session.choreography)
                assert length <= MAX_HELLO
                self.wanted += length
            if len(self.data) == self.wanted:
                return read_hello(bytes(self.data[HEADER.size :]))


class Listener:
    """A socket at which one role awaits the others.

    ``peers``, where given, are the roles that may come; others are turned away at once.
    """

    def __init__(
        self,
        address: str | tuple[str, int],
        role: str,
        *,
        session: Session | None = None,
        peers: Collection[str] | None = None,
    ) -> None:
        self.role = role
        self._closed = self._waits = False
        self._peers = None if peers is None else frozenset(peers)
        self._session = session or Session()
        host, port = parse_address(address)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family, backlog=128)
        except OSError as error:
            raise ChoreoError(f"{role} cannot listen at {host}:{port}: {error}") from None
        self._socket.setblocking(False)
        self.address: tuple[str, int] = self._socket.getsockname()[:2]
        # `close` wakes the thread that waits in `accept`.
        self._bell, self._rope = socket.socketpair()
        self._unidentified: dict[socket.socket, _Unidentified] = {}
        # Peers that connected before they were awaited, the oldest first.
        self._room: dict[_Pair, socket.socket] = {}
        self._refused: dict[str, int] = {}

    def accept(self, peer: str, channel: str = "") -> TcpEndpoint:
        """The end to one peer, once it has connected."""
        return self.accept_all([(peer, channel)])[peer, channel]

    def accept_all(self, awaited: list[_Pair]) -> dict[_Pair, TcpEndpoint]:
        """The ends to all awaited (peer, channel) pairs, in whatever order they come."""
        end = time.monotonic() + self._session.deadline
        ends: dict[_Pair, TcpEndpoint] = {}
        self._waits = True
        try:
            while missing := [pair for pair in awaited if pair not in ends]:
                known = next((pair for pair in missing if pair in self._room), None)
                if known is None:
                    self._read_greetings(end, missing)
                elif (endpoint := self._greet(self._room.pop(known), known)) is not None:
                    ends[known] = endpoint
        except BaseException:
            for endpoint in ends.values():
                endpoint.abort("could not meet all its peers")
            self._drop_all()
            raise
        finally:
            self._waits = False
        return ends

    def close(self) -> None:
        """Stop listening; connected ends live on, and a thread that still waits here is freed."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(OSError):
                self._rope.send(b"!")
            if not self._waits:  # else the thread that waits does so
                self._drop_all()
            self._socket.close()
            self._rope.close()

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            self._bell.close()

    def _read_greetings(self, end: float, missing: list[_Pair]) -> None:
        """Wait until a connection is made or has bytes to read, and read from all of them."""
        now = time.monotonic()
        for pending in [one for one in self._unidentified.values() if one.end <= now]:
            self._turn_away(pending.connection, Refusal("late", "a connection that said too little in time"))
        if now >= end:
            raise DeadlineExceeded(self._told(missing))
        until = min([end, *(one.end for one in self._unidentified.values())])
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._socket, selectors.EVENT_READ)
                selector.register(self._bell, selectors.EVENT_READ)
                for pending in self._unidentified.values():
                    selector.register(pending.connection, selectors.EVENT_READ, pending)
                ready = selector.select(max(until - now, 0.0))
        except (OSError, ValueError) as error:
            if not self._closed:
                raise ChoreoError(f"{self.role} cannot listen: {error}") from None
            ready = []
        if self._closed:
            raise ChoreoError(f"{self.role} listens no more")
        for key, _ in ready:
            if isinstance(key.data, _Unidentified):
                self._hear(key.data)
            elif key.fileobj is self._socket:
                self._take_connection(end)

    def _take_connection(self, end: float) -> None:
        try:
            connection, _ = self._socket.accept()
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE) and self._unidentified:
                # Connections without a greeting must not use up the descriptors that awaited peers need.
                self._turn_away(next(iter(self._unidentified)), Refusal("crowded", "one connection too many"))
            elif error.errno not in (errno.ECONNABORTED, errno.EPROTO):
                raise ChoreoError(f"{self.role} cannot listen: {error}") from None
            return
        connection.setblocking(False)
        tls = self._session.server_tls
        try:
            if tls is not None:
                connection = tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        except OSError:
            connection.close()
            return
        if len(self._unidentified) >= _MAX_UNIDENTIFIED:
            self._turn_away(next(iter(self._unidentified)), Refusal("crowded", "one connection too many"))
        pending = _Unidentified(connection, min(time.monotonic() + _HELLO, end), tls=tls is not None)
        self._unidentified[connection] = pending
        self._hear(pending)

    def _hear(self, pending: _Unidentified) -> None:
        connection = pending.connection
        try:
            names = pending.hear(self._session)
            if names is None:
                return
            role, peer, channel = names
            if peer != self.role or (self._peers is not None and role not in self._peers):
                raise Refusal("role", f"a peer that is {role[:100]!r} and asks for {peer[:100]!r}")
            try:
                self._session.check_identity(role, connection)
            except WrongPeer as error:
                raise Refusal("certificate", str(error)) from None
            if (role, channel) in self._room:
                if not _is_gone(self._room[role, channel]):
                    raise Refusal("twice", f"a second {role[:100]!r}")
                self._room.pop((role, channel)).close()
        except (Refusal, OSError) as error:
            self._turn_away(connection, error)
            return
        del self._unidentified[connection]
        if len(self._room) >= _ROOM:
            # The oldest connects again if it is a peer: `connect` retries until its deadline.
            self._turn_away(self._room.pop(next(iter(self._room))), Refusal("", "a peer that was never awaited"))
        self._room[role, channel] = connection

    def _turn_away(self, connection: socket.socket, why: Exception) -> None:
        """Close a connection that is no peer's; the reason is sent where it helps to correct a peer."""
        self._unidentified.pop(connection, None)
        if isinstance(why, Refusal):
            self._refused[str(why)] = self._refused.get(str(why), 0) + 1 if len(self._refused) < _ROOM else 1
            if why.word:
                with contextlib.suppress(OSError, ValueError):
                    connection.send(refusal_frame(why.word))
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
        connection.close()

    def _drop_all(self) -> None:
        for pending in list(self._unidentified.values()):
            self._turn_away(pending.connection, Refusal("", ""))
        while self._room:
            _, connection = self._room.popitem()
            self._turn_away(connection, Refusal("role", ""))

    def _told(self, missing: list[_Pair]) -> str:
        names = ", ".join(f"{peer} ({channel})" if channel else peer for peer, channel in missing)
        came = [f"{count} × {why}" for why, count in list(self._refused.items())[:5]]
        came += [f"{peer!r} ({channel})" if channel else repr(peer) for peer, channel in list(self._room)[:5]]
        return f"{self.role} still awaits {names}" + (f"; came instead: {', '.join(came)}" if came else "")

    def _greet(self, connection: socket.socket, pair: _Pair) -> TcpEndpoint | None:
        """The end to a peer that is there; None if it has gone in the meantime."""
        link = self._session.link(self.role, *pair)
        endpoint = TcpEndpoint(connection, link, self._session)
        try:
            endpoint._transmit(link.write_control(Kind.HELLO, hello_text(link)))
        except ChoreoError:
            connection.close()
            return None
        return endpoint


def _is_gone(connection: socket.socket) -> bool:
    """Whether a peer that waits has left; TLS cannot be asked without reading."""
    if isinstance(connection, ssl.SSLSocket):
        return False
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True


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
