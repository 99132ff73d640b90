"""Channels over TCP and TLS for programs written with asyncio."""

from __future__ import annotations

import asyncio
import contextlib
from enum import Enum
from types import TracebackType
from typing import Any, Self

from .codec import decode
from .endpoint import told_of
from .errors import ChoreoError, DeadlineExceeded, FrameError, PeerGone, ProtocolError
from .frames import Frame, FrameReader, Kind
from .link import Link, check_label
from .tcp import Session, parse_address

__all__ = ["AsyncEndpoint", "AsyncListener", "connect_async"]

_CHUNK = 1 << 16
_RETRY = 0.05
_HELLO = 5.0
_ROOM = 64


class AsyncEndpoint:
    """One role's end of a channel; the same frames as the blocking ends, so the two can talk."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: Link, deadline: float) -> None:
        self.deadline = deadline
        self._input = reader
        self._output = writer
        self._frames = FrameReader(link.max_frame)
        self._link = link

    @property
    def role(self) -> str:
        return self._link.role

    @property
    def peer(self) -> str:
        return self._link.peer

    async def send(self, value: object, *, site: str | None = None) -> None:
        """Send a value to the peer."""
        await self._transmit(self._link.write(Kind.VALUE, value, site))

    async def recv(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        """The next value from the peer; an error after ``timeout`` (else the deadline) seconds."""
        return self._link.read(await self._next_frame(timeout), Kind.VALUE, site)

    async def select(self, label: Enum, *, site: str | None = None) -> None:
        """Tell the peer which branch was taken."""
        check_label(label)
        await self._transmit(self._link.write(Kind.LABEL, label, site))

    async def offer(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        """The label that the peer selected, as a member of this program's own enum."""
        return self._link.read(await self._next_frame(timeout), Kind.LABEL, site)

    async def abort(self, reason: str, origin: str | None = None) -> None:
        """Tell the peer that this role gives up; never fails, may be called twice."""
        await self._leave(self._link.abort_frame(origin or self.role, reason))

    async def close(self) -> None:
        """Say that nothing more will come; never fails, may be called twice."""
        frame = self._link.write(Kind.CLOSE, None) if self._link.failure is None else None
        await self._leave(frame)
        if self._link.failure is None:
            self._link.failure = PeerGone(f"{self.role} has closed its end to {self.peer}")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self.close()
        else:
            origin, reason = told_of(error, self.role)
            await self.abort(reason, origin)

    async def _transmit(self, frame: bytes) -> None:
        try:
            async with asyncio.timeout(self.deadline):
                self._output.write(frame)
                await self._output.drain()
        except TimeoutError:
            self._link.fail(DeadlineExceeded(f"{self.peer} did not read within {self.deadline:g} s"))
        except OSError as error:
            self._link.fail(PeerGone(f"{self.peer} is gone: {error}"))

    async def _next_frame(self, timeout: float | None) -> Frame:
        if self._link.failure is not None:
            raise self._link.failure
        limit = self.deadline if timeout is None else timeout
        try:
            async with asyncio.timeout(limit):
                while (frame := self._frames.next()) is None:
                    data = await self._input.read(_CHUNK)
                    if not data:
                        raise self._ended()
                    self._frames.feed(data)
        except TimeoutError:
            self._link.fail(DeadlineExceeded(f"{self.role} waited {limit:g} s for {self.peer}"))
        except (ProtocolError, PeerGone) as error:
            self._link.fail(error)
        except OSError as error:
            self._link.fail(PeerGone(f"{self.peer} is gone: {error}"))
        return frame

    def _ended(self) -> ChoreoError:
        if self._frames.partial:
            return FrameError(f"truncated: {self.peer} ended within a frame")
        return PeerGone(f"{self.peer} closed the connection to {self.role}")

    async def _leave(self, frame: bytes | None) -> None:
        with contextlib.suppress(OSError):
            async with asyncio.timeout(min(self.deadline, 1.0)):
                if frame is not None:
                    self._output.write(frame)
                self._output.close()
                await self._output.wait_closed()


async def connect_async(
    address: str | tuple[str, int], role: str, peer: str, channel: str = "", *, session: Session | None = None
) -> AsyncEndpoint:
    """An end of ``role`` to ``peer``, which listens, or soon will, at ``address``."""
    session = session or Session()
    host, port = parse_address(address)
    loop = asyncio.get_running_loop()
    end = loop.time() + session.deadline
    while True:
        try:
            async with asyncio.timeout_at(end):
                reader, writer = await asyncio.open_connection(
                    host, port, ssl=session.client_tls, server_hostname=host if session.client_tls else None
                )
            break
        except (ConnectionRefusedError, TimeoutError) as error:
            if loop.time() + _RETRY >= end:
                raise DeadlineExceeded(f"{role} could not reach {peer} at {host}:{port}: {error}") from None
            await asyncio.sleep(_RETRY)
        except OSError as error:
            raise PeerGone(f"{role} cannot reach {peer} at {host}:{port}: {error}") from None
    endpoint = AsyncEndpoint(reader, writer, session.link(role, peer, channel), session.deadline)
    try:
        await endpoint._transmit(endpoint._link.hello())
        endpoint._link.check_hello(endpoint._link.read(await endpoint._next_frame(None), Kind.HELLO))
    except ChoreoError:
        writer.close()
        raise
    return endpoint


class AsyncListener:
    """A socket at which one role awaits its peers."""

    def __init__(self, role: str, session: Session) -> None:
        self.role = role
        self._session = session
        self._server: asyncio.Server | None = None
        # Who has introduced itself and is not yet awaited.
        self._room: dict[tuple[str, str], tuple[AsyncEndpoint, Frame]] = {}
        self._changed = asyncio.Condition()

    @classmethod
    async def open(cls, address: str | tuple[str, int], role: str, *, session: Session | None = None) -> AsyncListener:
        """Listen at an address; port 0 takes a free one (see ``address``)."""
        listener = cls(role, session or Session())
        host, port = parse_address(address)
        listener._server = await asyncio.start_server(listener._introduce, host, port, ssl=listener._session.server_tls)
        return listener

    @property
    def address(self) -> tuple[str, int]:
        """Where this listener can be reached."""
        if self._server is None or not self._server.sockets:
            raise ChoreoError(f"{self.role} does not listen")
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    async def accept(self, peer: str, channel: str = "") -> AsyncEndpoint:
        """The end to one peer, once it has connected."""
        try:
            async with asyncio.timeout(self._session.deadline), self._changed:
                await self._changed.wait_for(lambda: (peer, channel) in self._room)
        except TimeoutError:
            raise DeadlineExceeded(f"{self.role} still awaits {peer}") from None
        endpoint, frame = self._room.pop((peer, channel))
        endpoint._link = link = self._session.link(self.role, peer, channel)
        endpoint.deadline = self._session.deadline
        try:
            # Greet before judging: a peer of another session learns of it from this frame's header.
            await endpoint._transmit(link.hello())
            link.check_hello(link.read(frame, Kind.HELLO))
        except ChoreoError:
            endpoint._output.close()
            raise
        return endpoint

    async def close(self) -> None:
        """Stop listening; accepted ends live on, those not yet awaited are turned away."""
        if self._server is not None:
            self._server.close()
        while self._room:
            _, (endpoint, _) = self._room.popitem()
            await endpoint.abort(f"{self.role} awaits no such peer")

    async def _introduce(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hear who has connected; a channel's name and roles are only claims so far."""
        link = self._session.link(self.role, "a stranger", "")
        endpoint = AsyncEndpoint(reader, writer, link, min(_HELLO, self._session.deadline))
        try:
            frame = await endpoint._next_frame(None)
            told = decode(frame.text, frame.buffers)
            pair = (str(told["role"]), str(told["channel"]))
        except (ChoreoError, KeyError, TypeError):
            writer.close()
            return
        if frame.kind is not Kind.HELLO or pair in self._room or len(self._room) >= _ROOM:
            await endpoint.abort(f"{self.role} awaits no such peer")
            return
        async with self._changed:
            self._room[pair] = endpoint, frame
            self._changed.notify_all()
