"""Channels over gRPC: ``pip install 'pytrope[grpc]'``.

A channel is one call of a method that streams frames both ways, as bytes; no schema is compiled.  ``credentials``
are gRPC's own (``grpc.ssl_server_credentials``, ``grpc.ssl_channel_credentials``).
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, Full, Queue
from typing import Any

from .codec import Buffer
from .errors import ChoreoError, DeadlineExceeded, MissingExtra
from .frames import HEADER, Frame, Kind, read_frame
from .hello import Refusal, hello_text, judge_header, read_hello, refusal_frame
from .session import Session, parse_address
from .transport import FramedEndpoint, Transport, open_end

__all__ = ["GrpcListener", "connect_grpc"]

_SERVICE, _METHOD = "pytrope.Choreography", "Talk"
_QUEUE = 64  # frames on their way out or in; more make the sender wait
_ROOM = 64
_CALLS = 128  # calls at a time, each of which is a thread


def _load_grpc() -> Any:
    try:
        return importlib.import_module("grpc")
    except ImportError:
        raise MissingExtra("the gRPC transport", "grpc") from None


def _options(session: Session) -> list[tuple[str, int]]:
    session.require_plain("gRPC")
    limit = min(HEADER.size + session.max_frame, (1 << 31) - 1)
    return [
        ("grpc.max_receive_message_length", limit),
        ("grpc.max_send_message_length", limit),
        ("grpc.so_reuseport", 0),
    ]


class _StreamTransport(Transport):
    """The frames of one call: a queue each way."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.outgoing: Queue[bytes | None] = Queue(_QUEUE)
        self.incoming: Queue[bytes | None] = Queue(_QUEUE)
        self.ended = threading.Event()
        self.closed = threading.Event()

    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        if self.ended.is_set() or self.closed.is_set():
            raise BrokenPipeError("the call has ended")
        try:
            self.outgoing.put(b"".join(pieces), timeout=max(timeout, 0.0))
        except Full:
            raise TimeoutError from None

    def receive_frame(self, timeout: float) -> Frame:
        try:
            data = self.incoming.get(timeout=max(timeout, 0.0))
        except Empty:
            raise TimeoutError from None
        if data is None:
            self.incoming.put(None)
            raise EOFError
        return read_frame(data, self.session.max_frame, self.session.max_text)

    def close(self) -> None:
        if not self.closed.is_set():
            self.closed.set()
            try:
                self.outgoing.put(None, timeout=1.0)
            except Full:
                self.ended.set()

    def written(self) -> Iterator[bytes]:
        """What this side sends, until it is closed."""
        while (data := self.outgoing.get()) is not None:
            yield data

    def read_all(self, stream: Any) -> None:
        """Take what the other side sends, until it ends for whatever reason."""
        grpc = _load_grpc()
        try:
            for data in stream:
                self.incoming.put(data)
        except grpc.RpcError:
            pass
        finally:
            self.ended.set()
            self.incoming.put(None)


class GrpcListener:
    """A server at which one role awaits the others."""

    def __init__(
        self,
        address: str | tuple[str, int],
        role: str,
        *,
        session: Session | None = None,
        peers: Collection[str] | None = None,
        credentials: Any = None,
    ) -> None:
        grpc = _load_grpc()
        self.role = role
        self._session = session or Session()
        self._peers = None if peers is None else frozenset(peers)
        self._room: dict[tuple[str, str], _StreamTransport] = {}
        self._changed = threading.Condition()
        self._users = 1
        self._server = grpc.server(
            ThreadPoolExecutor(_CALLS), options=_options(self._session), maximum_concurrent_rpcs=_CALLS
        )
        handler = grpc.method_handlers_generic_handler(
            _SERVICE, {_METHOD: grpc.stream_stream_rpc_method_handler(self._talk)}
        )
        self._server.add_generic_rpc_handlers((handler,))
        host, port = parse_address(address)
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            bound = (
                self._server.add_secure_port(place, credentials)
                if credentials
                else self._server.add_insecure_port(place)
            )
        except RuntimeError as error:
            raise ChoreoError(f"{role} cannot listen at {place}: {error}") from None
        self.address: tuple[str, int] = (host, bound)
        self._server.start()

    def accept(self, peer: str, channel: str = "") -> FramedEndpoint:
        """The end to one peer, once it has connected."""
        return self.accept_all([(peer, channel)])[peer, channel]

    def accept_all(self, awaited: list[tuple[str, str]]) -> dict[tuple[str, str], FramedEndpoint]:
        """The ends to all awaited (peer, channel) pairs, in whatever order they come."""
        end = time.monotonic() + self._session.deadline
        ends: dict[tuple[str, str], FramedEndpoint] = {}
        for pair in awaited:
            with self._changed:
                while pair not in self._room:
                    if not self._changed.wait(max(end - time.monotonic(), 0.0)) and pair not in self._room:
                        for met in ends.values():
                            met.abort("could not meet all its peers")
                        raise DeadlineExceeded(f"{self.role} still awaits {pair[0]}")
                transport = self._room.pop(pair)
            link = self._session.link(self.role, *pair)
            ends[pair] = FramedEndpoint(transport, link, self._session.deadline)
            ends[pair]._transmit(link.write_control(Kind.HELLO, hello_text(link)))
        return ends

    def close(self) -> None:
        """Stop listening; connected ends live on."""
        with self._changed:
            for transport in self._room.values():
                transport.close()
            self._room.clear()
        self._release()

    def _release(self) -> None:
        """The server must live as long as a call of it does."""
        with self._changed:
            self._users -= 1
            unused = self._users == 0
        if unused:
            self._server.stop(1.0)

    def _talk(self, stream: Any, context: Any) -> Iterator[bytes]:
        """One call: the peer's greeting, then its frames."""
        session = self._session
        try:
            data = next(iter(stream), b"")
            if len(data) < HEADER.size:
                raise Refusal("", "bytes that are no frame")
            length = judge_header(data[: HEADER.size], session.name, session.choreography)
            if len(data) != HEADER.size + length:
                raise Refusal("length", "a greeting of a length that differs from the announced one")
            role, peer, channel = read_hello(data[HEADER.size :])
            if peer != self.role or (self._peers is not None and role not in self._peers):
                raise Refusal("role", "a peer that is not awaited")
            transport = _StreamTransport(session)
            with self._changed:
                if (role, channel) in self._room:
                    raise Refusal("twice", "a second peer of one name")
                if len(self._room) >= _ROOM:
                    self._room.pop(next(iter(self._room))).close()
                self._room[role, channel] = transport
                self._users += 1
                self._changed.notify_all()
        except Refusal as refusal:
            if refusal.word:
                yield refusal_frame(refusal.word)
            return
        threading.Thread(target=transport.read_all, args=(stream,), daemon=True).start()
        context.add_callback(self._release)
        yield from transport.written()


def connect_grpc(
    address: str | tuple[str, int],
    role: str,
    peer: str,
    channel: str = "",
    *,
    session: Session | None = None,
    credentials: Any = None,
) -> FramedEndpoint:
    """An end of ``role`` to ``peer``, which listens, or soon will, at ``address``."""
    grpc = _load_grpc()
    session = session or Session()
    host, port = parse_address(address)
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    options = _options(session)
    made = (
        grpc.secure_channel(place, credentials, options=options)
        if credentials
        else grpc.insecure_channel(place, options=options)
    )
    transport = _ClientTransport(session, made)
    try:
        grpc.channel_ready_future(made).result(timeout=session.deadline)
    except grpc.FutureTimeoutError:
        made.close()
        raise DeadlineExceeded(f"{role} could not reach {peer} at {place}") from None
    stream = made.stream_stream(f"/{_SERVICE}/{_METHOD}")(transport.written())
    threading.Thread(target=transport.read_all, args=(stream,), daemon=True).start()
    return open_end(transport, role, peer, channel, session=session)


class _ClientTransport(_StreamTransport):
    """The frames of a role that has connected, with the connection that was made for it."""

    def __init__(self, session: Session, channel: Any) -> None:
        super().__init__(session)
        self._channel = channel

    def read_all(self, stream: Any) -> None:
        super().read_all(stream)
        self._channel.close()
