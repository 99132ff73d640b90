"""Channels over TCP and TLS for programs written with asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence
from enum import Enum
from types import TracebackType
from typing import Any, Self

from .codec import Buffer
from .endpoint import END_ROUNDS, told_of
from .errors import ChoreoError, DeadlineExceeded, FrameError, PeerAborted, PeerGone, ProtocolError, WrongPeer
from .frames import HEADER, Frame, FrameReader, Kind
from .hello import Refusal, check_hello, hello_text, judge_header, read_hello, refusal_error, refusal_frame
from .link import Link, check_label
from .session import Session, parse_address
from .sites import Site, site_of

__all__ = ["AsyncEndpoint", "AsyncListener", "connect_async"]

_RETRY = 0.05
_HELLO = 5.0
_ROOM = 64
_MAX_UNIDENTIFIED = 256


class AsyncEndpoint:
    """One role's end of a channel; the same frames as the blocking ends, so the two can talk."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: Link, session: Session
    ) -> None:
        self.deadline = session.deadline
        self._input = reader
        self._output = writer
        self._frames = FrameReader(link.max_frame, link.max_text)
        self._link = link
        self._announced = self._confirmed = 0
        self._extends = session.heartbeat is not None
        self._heart = asyncio.create_task(self._beat(session.heartbeat)) if session.heartbeat else None

    @property
    def role(self) -> str:
        return self._link.role

    @property
    def peer(self) -> str:
        return self._link.peer

    @property
    def link(self) -> Link:
        """The state of the conversation: counts, last sites, the failure if there was one."""
        return self._link

    async def send(self, value: object, *, site: Site = None) -> None:
        """Send a value to the peer."""
        site = site if site is not None else site_of(sys._getframe(1))
        await self._transmit(self._link.write(Kind.VALUE, value, site))

    async def recv(self, *, timeout: float | None = None, site: Site = None) -> Any:
        """The next value from the peer; an error after ``timeout`` (else the deadline) seconds."""
        site = site if site is not None else site_of(sys._getframe(1))
        return self._link.read(await self._next_frame(timeout), Kind.VALUE, site)

    async def select(self, label: Enum, *, site: Site = None) -> None:
        """Tell the peer which branch was taken."""
        check_label(label)
        site = site if site is not None else site_of(sys._getframe(1))
        await self._transmit(self._link.write(Kind.LABEL, label, site))

    async def offer(self, *, timeout: float | None = None, site: Site = None) -> Any:
        """The label that the peer selected, as a member of this program's own enum."""
        site = site if site is not None else site_of(sys._getframe(1))
        return self._link.read(await self._next_frame(timeout), Kind.LABEL, site)

    async def report_outcome(self, failed: bool, *, site: Site = None) -> None:
        """As `Endpoint.report_outcome`."""
        await self._transmit(self._link.write(Kind.OUTCOME, failed, site))

    async def await_outcome(self, *, site: Site = None) -> tuple[bool, int]:
        """As `Endpoint.await_outcome`."""
        told, self._link.outcome = self._link.outcome, None
        passed = 0
        while told is None:
            told = self._link.read_outcome(await self._next_frame(None), site)
            passed += told is None
        return told, passed

    async def abort(self, reason: str, origin: str | None = None) -> None:
        """Tell the peer that this role gives up; never fails, may be called twice."""
        await self._leave(self._link.abort_frame(origin or self.role, reason))

    async def close(self) -> None:
        """Say that nothing more will come; never fails, may be called twice."""
        pieces: list[Buffer] = []
        while self._announced < END_ROUNDS and self._link.failure is None:
            pieces += self._end_frame()
        await self._leave(pieces)
        self._mark_closed()

    @property
    def is_aborted(self) -> bool:
        """As `Endpoint.is_aborted`."""
        return isinstance(self._link.failure, PeerAborted)

    async def announce_end(self) -> None:
        """As `Endpoint.announce_end`: first that this role has ended and what it counted, then that all agree."""
        if self._link.failure is not None:
            raise self._link.failure
        try:
            await self._transmit(self._end_frame())
        except PeerGone:
            # The peer may have ended and gone; what it said last is still to be read.
            self._link.failure = None

    async def confirm_end(self) -> None:
        """As `Endpoint.confirm_end`: wait until the peer has announced the same."""
        self._confirmed += 1
        try:
            frame = await self._next_frame(None)
        except PeerGone:
            if self._confirmed < END_ROUNDS:
                raise
            self._link.failure = None
        else:
            if self._confirmed < END_ROUNDS:
                self._link.read_close(frame)
                return
            self._link.read_settled(frame)
        await self._leave(None)
        self._mark_closed()

    async def finish(self) -> None:
        """End this channel with the peer's consent: success means that no message went astray."""
        for _ in range(END_ROUNDS):
            await self.announce_end()
            await self.confirm_end()

    def _end_frame(self) -> list[Buffer]:
        self._announced += 1
        return self._link.close_frame() if self._announced == 1 else self._link.write_control(Kind.SETTLED)

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

    def _mark_closed(self) -> None:
        if self._link.failure is None:
            self._link.failure = PeerGone(f"{self.role} has closed its end to {self.peer}")

    async def _beat(self, interval: float) -> None:
        pieces = self._link.write_control(Kind.HEARTBEAT)
        while not self._output.is_closing():
            await asyncio.sleep(interval)
            self._output.writelines(pieces)

    async def _transmit(self, pieces: Sequence[Buffer]) -> None:
        try:
            async with asyncio.timeout(self.deadline):
                # The transport keeps what it cannot send at once, and a program may change its arrays meanwhile.
                self._output.writelines([bytes(piece) for piece in pieces])
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
            async with asyncio.timeout(limit) as waiting:
                while (frame := self._frames.next()) is None or frame.kind is Kind.HEARTBEAT:
                    if frame is not None:
                        if self._extends and timeout is None:
                            waiting.reschedule(asyncio.get_running_loop().time() + limit)
                        continue
                    data = await self._input.read(len(self._frames.target))
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

    async def _leave(self, pieces: Sequence[Buffer] | None) -> None:
        if self._heart is not None:
            self._heart.cancel()
        with contextlib.suppress(OSError):
            async with asyncio.timeout(min(self.deadline, 1.0)):
                if pieces is not None:
                    self._output.writelines(pieces)
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
    link = session.link(role, peer, channel)
    try:
        session.check_identity(peer, writer.get_extra_info("ssl_object"))
        endpoint = AsyncEndpoint(reader, writer, link, session)
        await endpoint._transmit(link.write_control(Kind.HELLO, hello_text(link)))
        frame = await endpoint._next_frame(None)
        if frame.kind is Kind.REFUSED:
            link.fail(refusal_error(link, frame))
        if frame.kind is not Kind.HELLO:
            link.read(frame, Kind.HELLO)
        link.check_origin(frame)
        check_hello(link, frame)
    except ChoreoError:
        writer.close()
        raise
    return endpoint


_Waiting = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncListener:
    """A socket at which one role awaits its peers; connections are judged by their greeting as in `Listener`."""

    def __init__(self, role: str, session: Session) -> None:
        self.role = role
        self._session = session
        self._server: asyncio.Server | None = None
        # Peers that have sent a greeting and are not yet awaited, the oldest first.
        self._room: dict[tuple[str, str], _Waiting] = {}
        self._unidentified: dict[asyncio.StreamWriter, None] = {}
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
        reader, writer = self._room.pop((peer, channel))
        link = self._session.link(self.role, peer, channel)
        endpoint = AsyncEndpoint(reader, writer, link, self._session)
        try:
            await endpoint._transmit(link.write_control(Kind.HELLO, hello_text(link)))
        except ChoreoError:
            writer.close()
            raise
        return endpoint

    async def close(self) -> None:
        """Stop listening; accepted ends live on, those not yet awaited are turned away."""
        if self._server is not None:
            self._server.close()
        for writer in list(self._unidentified):
            writer.close()
        while self._room:
            _, (_, writer) = self._room.popitem()
            _turn_away(writer, "role")

    async def _introduce(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read the greeting of a connection; a channel's name and roles are only claims so far."""
        session = self._session
        if len(self._unidentified) >= _MAX_UNIDENTIFIED:
            next(iter(self._unidentified)).close()
        self._unidentified[writer] = None
        try:
            async with asyncio.timeout(min(_HELLO, session.deadline)):
                header = await reader.readexactly(HEADER.size)
                length = judge_header(header, session.name, session.choreography)
                role, peer, channel = read_hello(await reader.readexactly(length))
            if peer != self.role:
                raise Refusal("role", "a peer of another role")
            try:
                session.check_identity(role, writer.get_extra_info("ssl_object"))
            except WrongPeer as error:
                raise Refusal("certificate", str(error)) from None
            if (role, channel) in self._room and not self._room[role, channel][0].at_eof():
                raise Refusal("twice", "a second peer of one name")
        except (Refusal, OSError, EOFError) as error:
            _turn_away(writer, error.word if isinstance(error, Refusal) else "")
            return
        finally:
            del self._unidentified[writer]
        async with self._changed:
            if len(self._room) >= _ROOM:
                _turn_away(self._room.pop(next(iter(self._room)))[1], "")
            self._room[role, channel] = reader, writer
            self._changed.notify_all()


def _turn_away(writer: asyncio.StreamWriter, word: str) -> None:
    with contextlib.suppress(OSError, RuntimeError):
        if word:
            writer.write(refusal_frame(word))
        writer.close()
