"""Awaiting peers over TCP and TLS: whoever connects must say who it is before it is believed."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue

from .codec import decode
from .errors import ChoreoError, DeadlineExceeded
from .frames import Frame, Kind
from .tcp import Session, TcpEndpoint, connect, parse_address

__all__ = ["Listener", "tcp_channel"]

_HELLO = 5.0  # seconds that a stranger may take to introduce itself
_ROOM = 64  # peers that may wait to be awaited

_Pair = tuple[str, str]
_Arrival = tuple[TcpEndpoint, Frame, _Pair] | None


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
        self._socket.setblocking(False)
        self.address: tuple[str, int] = self._socket.getsockname()[:2]
        # Threads that have heard an introduction, and `close`, wake the one that waits in `accept`.
        self._bell, self._rope = socket.socketpair()
        self._arrivals: SimpleQueue[_Arrival] = SimpleQueue()
        # Who has come before it was awaited.
        self._room: dict[_Pair, tuple[TcpEndpoint, Frame]] = {}

    def accept(self, peer: str, channel: str = "") -> TcpEndpoint:
        """The end to one peer, once it has connected."""
        return self.accept_all([(peer, channel)])[peer, channel]

    def accept_all(self, awaited: list[_Pair]) -> dict[_Pair, TcpEndpoint]:
        """The ends to all awaited (peer, channel) pairs, in whatever order they come."""
        end = time.monotonic() + self._session.deadline
        ends: dict[_Pair, TcpEndpoint] = {}
        try:
            while missing := [pair for pair in awaited if pair not in ends]:
                known = next((pair for pair in missing if pair in self._room), None)
                if known is not None:
                    ends[known] = self._greet(*self._room.pop(known), known)
                elif (arrival := self._next_arrival(end, missing)) is not None:
                    endpoint, frame, pair = arrival
                    if pair in self._room or len(self._room) >= _ROOM:
                        endpoint.abort(f"{self.role} awaits no such peer")
                    else:
                        self._room[pair] = endpoint, frame
        except BaseException:
            for endpoint in ends.values():
                endpoint.abort("could not meet all its peers")
            self._clear_room()
            raise
        return ends

    def close(self) -> None:
        """Stop listening; connected ends live on, and a thread that still waits here is freed."""
        if not self._closed:
            self._closed = True
            self._ring()
            self._clear_room()
            self._socket.close()
            self._rope.close()

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError, OSError):
            self._bell.close()

    def _clear_room(self) -> None:
        while self._room:
            _, (endpoint, _) = self._room.popitem()
            endpoint.abort(f"{self.role} awaits no such peer")

    def _next_arrival(self, end: float, missing: list[_Pair]) -> _Arrival:
        """Whoever has introduced itself next; None for somebody who said nothing sensible."""
        while True:
            with contextlib.suppress(Empty):
                return self._arrivals.get_nowait()
            left = end - time.monotonic()
            if left <= 0:
                names = ", ".join(f"{peer} ({channel})" if channel else peer for peer, channel in missing)
                others = ", ".join(repr(peer) for peer, _ in self._room)
                came = f"; {others} came instead" if others else ""
                raise DeadlineExceeded(f"{self.role} still awaits {names}{came}")
            self._wait(left)
            if self._closed:
                raise ChoreoError(f"{self.role} listens no more")

    def _wait(self, left: float) -> None:
        """Until somebody connects, introduces itself, or the listener is closed."""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._socket, selectors.EVENT_READ)
                selector.register(self._bell, selectors.EVENT_READ)
                ready = [key.fileobj for key, _ in selector.select(left)]
                if self._bell in ready:
                    self._bell.recv(64)
                if self._socket in ready:
                    connection, _ = self._socket.accept()
                    connection.setblocking(True)
                    # A stranger that takes its time must not keep the others waiting.
                    threading.Thread(target=self._introduce, args=(connection, left), daemon=True).start()
        except (OSError, ValueError) as error:
            if not self._closed and not isinstance(error, BlockingIOError):
                raise ChoreoError(f"{self.role} cannot listen: {error}") from None

    def _introduce(self, connection: socket.socket, left: float) -> None:
        """Hear who has connected; a channel's name and roles are only claims so far."""
        arrival: _Arrival = None
        session = self._session
        try:
            connection.settimeout(min(_HELLO, left))
            if session.server_tls is not None:
                connection = session.server_tls.wrap_socket(connection, server_side=True)
            endpoint = TcpEndpoint(connection, session.link(self.role, "a stranger", ""), min(_HELLO, left))
            frame = endpoint._next_frame(None)
            told = decode(frame.text, frame.buffers)
            if frame.kind is Kind.HELLO:
                arrival = endpoint, frame, (str(told["role"]), str(told["channel"]))
        except (OSError, ChoreoError, KeyError, TypeError):
            pass
        if arrival is None:
            connection.close()
        self._arrivals.put(arrival)
        self._ring()

    def _greet(self, endpoint: TcpEndpoint, frame: Frame, pair: _Pair) -> TcpEndpoint:
        endpoint._link = link = self._session.link(self.role, *pair)
        endpoint.peer = link.peer
        endpoint.deadline = self._session.deadline
        try:
            # Greet before judging: a peer of another session learns of it from this frame's header.
            endpoint._transmit(link.hello())
            link.check_hello(link.read(frame, Kind.HELLO))
        except ChoreoError:
            endpoint._socket.close()
            raise
        return endpoint

    def _ring(self) -> None:
        with contextlib.suppress(OSError):
            self._rope.send(b"!")


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
