"""Channels over ZeroMQ: ``pip install 'pytrope[zmq]'``.

A role that awaits others has one ROUTER socket, which knows its peers by the identity that ZeroMQ gives each
connection; a role that connects has a DEALER.  Unknown identities are judged by the header of their first message, as
over TCP.  ZeroMQ does not report that a peer has died: it is noticed by the deadline.  It has no TLS either:
networks that are not trusted need CURVE, for which ``socket_options`` sets the keys.
"""

from __future__ import annotations

import contextlib
import importlib
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

from .codec import Buffer
from .errors import ChoreoError, DeadlineExceeded, MissingExtra
from .frames import HEADER, Frame, Kind, read_frame
from .hello import Refusal, hello_text, judge_header, read_hello, refusal_frame
from .session import Session, parse_address
from .transport import FramedEndpoint, Transport, open_end

__all__ = ["ZmqListener", "connect_zmq"]

_ROOM = 64
_MAX_UNIDENTIFIED = 256  # first messages of unknown identities that wait to be read
_WAITING = 10_000  # messages of one peer that may wait while another's are read
_LINGER = 2000  # milliseconds that last words may take when a socket is closed

SocketOptions = Callable[[Any], None]


def _load_zmq() -> Any:
    try:
        return importlib.import_module("zmq")
    except ImportError:
        raise MissingExtra("the ZeroMQ transport", "zmq") from None


def _address_of(address: str | tuple[str, int]) -> str:
    if isinstance(address, str) and "://" in address:
        return address
    host, port = parse_address(address)
    return f"tcp://{host}:{port or '*'}"


def _open_socket(kind: int, session: Session, options: SocketOptions | None) -> Any:
    session.require_plain("ZeroMQ")
    zmq = _load_zmq()
    made = zmq.Context.instance().socket(kind)
    made.setsockopt(zmq.LINGER, _LINGER)
    # Larger messages are dropped by ZeroMQ itself, with their connection, before they are stored.
    made.setsockopt(zmq.MAXMSGSIZE, HEADER.size + session.max_frame)
    if options is not None:
        options(made)
    return made


class _DealerTransport(Transport):
    """The frames of a role that has connected."""

    def __init__(self, made: Any, session: Session) -> None:
        self._zmq = _load_zmq()
        self._socket = made
        self._session = session

    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        if not self._socket.poll(max(timeout, 0.0) * 1000, self._zmq.POLLOUT):
            raise TimeoutError
        # ZeroMQ sends later, from a thread of its own, so the pieces are copied.
        self._socket.send(b"".join(pieces))

    def receive_frame(self, timeout: float) -> Frame:
        if not self._socket.poll(max(timeout, 0.0) * 1000, self._zmq.POLLIN):
            raise TimeoutError
        # What arrived belongs to this message alone, so arrays may stay where it lies.
        data = bytearray(self._socket.recv(copy=False).buffer)
        return read_frame(data, self._session.max_frame, self._session.max_text)

    def close(self) -> None:
        self._socket.close()


class _Router:
    """The ROUTER socket of a listener, shared by the ends to its peers; one thread at a time uses it."""

    def __init__(self, made: Any, session: Session) -> None:
        self.zmq = _load_zmq()
        self.socket = made
        self.session = session
        self.lock = threading.RLock()
        self.inboxes: dict[bytes, deque[bytearray]] = {}
        # First messages of unknown identities; the oldest are dropped when more come than the listener reads.
        self.unidentified: deque[tuple[bytes, bytearray]] = deque(maxlen=_MAX_UNIDENTIFIED)
        self.users = 1

    def pump(self, timeout: float) -> None:
        """Take one message that has arrived and put it where it belongs; waits for it at most ``timeout``."""
        with self.lock:
            if not self.socket.poll(max(timeout, 0.0) * 1000, self.zmq.POLLIN):
                return
            identity, *parts = self.socket.recv_multipart(copy=False)
            name = bytes(identity.buffer)
            data = bytearray(parts[0].buffer) if len(parts) == 1 else bytearray()
            inbox = self.inboxes.get(name)
            if inbox is None:
                self.unidentified.append((name, data[: HEADER.size + 4096]))
            elif len(inbox) < _WAITING:
                inbox.append(data)

    def release(self) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                self.socket.close()


class _RouterTransport(Transport):
    """The frames of one peer of a role that listens."""

    def __init__(self, router: _Router, identity: bytes) -> None:
        self._router = router
        self._identity = identity
        self._inbox = router.inboxes[identity] = deque()
        self._closed = False
        router.users += 1

    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        router = self._router
        with router.lock:
            if self._closed:
                raise BrokenPipeError("closed")
            if not router.socket.poll(max(timeout, 0.0) * 1000, router.zmq.POLLOUT):
                raise TimeoutError
            try:
                router.socket.send_multipart([self._identity, b"".join(pieces)])
            except router.zmq.ZMQError as error:  # a peer that is no longer there
                raise BrokenPipeError(str(error)) from None

    def receive_frame(self, timeout: float) -> Frame:
        end = time.monotonic() + timeout
        while not self._inbox:
            left = end - time.monotonic()
            self._router.pump(left)
            if not self._inbox and left <= 0:
                raise TimeoutError
        session = self._router.session
        return read_frame(self._inbox.popleft(), session.max_frame, session.max_text)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._router.inboxes.pop(self._identity, None)
            self._router.release()


class ZmqListener:
    """A ROUTER socket at which one role awaits the others."""

    def __init__(
        self,
        address: str | tuple[str, int],
        role: str,
        *,
        session: Session | None = None,
        peers: Collection[str] | None = None,
        socket_options: SocketOptions | None = None,
    ) -> None:
        zmq = _load_zmq()
        self.role = role
        self._session = session or Session()
        self._peers = None if peers is None else frozenset(peers)
        made = _open_socket(zmq.ROUTER, self._session, socket_options)
        made.setsockopt(zmq.ROUTER_MANDATORY, 1)
        try:
            made.bind(_address_of(address))
        except zmq.ZMQError as error:
            made.close()
            raise ChoreoError(f"{role} cannot listen at {address}: {error}") from None
        self.address: str = made.getsockopt_string(zmq.LAST_ENDPOINT)
        self._router = _Router(made, self._session)
        self._room: dict[tuple[str, str], bytes] = {}
        self._closed = False

    def accept(self, peer: str, channel: str = "") -> FramedEndpoint:
        """The end to one peer, once it has connected."""
        return self.accept_all([(peer, channel)])[peer, channel]

    def accept_all(self, awaited: list[tuple[str, str]]) -> dict[tuple[str, str], FramedEndpoint]:
        """The ends to all awaited (peer, channel) pairs, in whatever order they come."""
        end = time.monotonic() + self._session.deadline
        ends: dict[tuple[str, str], FramedEndpoint] = {}
        while missing := [pair for pair in awaited if pair not in ends]:
            known = next((pair for pair in missing if pair in self._room), None)
            if known is not None:
                ends[known] = self._greet(self._room.pop(known), known)
                continue
            left = end - time.monotonic()
            if left <= 0:
                for met in ends.values():
                    met.abort("could not meet all its peers")
                names = ", ".join(f"{peer} ({channel})" if channel else peer for peer, channel in missing)
                raise DeadlineExceeded(f"{self.role} still awaits {names}")
            self._router.pump(left)
            while self._router.unidentified:
                self._hear(*self._router.unidentified.popleft())
        return ends

    def close(self) -> None:
        """Stop listening; connected ends live on."""
        if not self._closed:
            self._closed = True
            while self._room:
                self._turn_away(self._room.popitem()[1], "role")
            self._router.release()

    def _hear(self, identity: bytes, data: bytearray) -> None:
        try:
            if len(data) < HEADER.size:
                raise Refusal("", "bytes that are no frame")
            length = judge_header(bytes(data[: HEADER.size]), self._session.name, self._session.choreography)
            if len(data) != HEADER.size + length:
                raise Refusal("length", "a greeting of a length that differs from the announced one")
            role, peer, channel = read_hello(bytes(data[HEADER.size :]))
            if peer != self.role or (self._peers is not None and role not in self._peers):
                raise Refusal("role", "a peer that is not awaited")
            if (role, channel) in self._room:
                raise Refusal("twice", "a second peer of one name")
        except Refusal as refusal:
            self._turn_away(identity, refusal.word)
            return
        if len(self._room) >= _ROOM:
            self._room.pop(next(iter(self._room)))
        self._room[role, channel] = identity

    def _turn_away(self, identity: bytes, word: str) -> None:
        zmq = self._router.zmq
        if word:
            with contextlib.suppress(zmq.ZMQError):
                self._router.socket.send_multipart([identity, refusal_frame(word)], zmq.DONTWAIT)

    def _greet(self, identity: bytes, pair: tuple[str, str]) -> FramedEndpoint:
        link = self._session.link(self.role, *pair)
        transport = _RouterTransport(self._router, identity)
        endpoint = FramedEndpoint(transport, link, self._session.deadline)
        endpoint._transmit(link.write_control(Kind.HELLO, hello_text(link)))
        return endpoint


def connect_zmq(
    address: str | tuple[str, int],
    role: str,
    peer: str,
    channel: str = "",
    *,
    session: Session | None = None,
    socket_options: SocketOptions | None = None,
) -> FramedEndpoint:
    """An end of ``role`` to ``peer``, which listens, or soon will, at ``address``."""
    zmq = _load_zmq()
    session = session or Session()
    made = _open_socket(zmq.DEALER, session, socket_options)
    made.connect(_address_of(address))
    return open_end(_DealerTransport(made, session), role, peer, channel, session=session)
