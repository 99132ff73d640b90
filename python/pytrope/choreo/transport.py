"""The interface of transports, and the end of a channel that is made of one.

To carry choreographies over something new, write a `Transport`: three methods that move whole frames in
order.  `open_end` makes an end of it: it greets the peer, numbers and checks the frames, keeps the
deadlines and turns what goes wrong into the errors of this package.  `Link` is what it does so with.
"""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import Any, NoReturn

from .codec import Buffer
from .endpoint import END_ROUNDS, Endpoint
from .errors import ChoreoError, DeadlineExceeded, FrameError, PeerAborted, PeerEnded, PeerGone
from .frames import Frame, Kind
from .hello import check_hello, hello_text, refusal_error
from .link import Link, check_label
from .session import Session
from .sites import Site, site_of

__all__ = ["FramedEndpoint", "Transport", "open_end"]

_VALUE, _LABEL, _HEARTBEAT = Kind.VALUE, Kind.LABEL, Kind.HEARTBEAT
_monotonic = time.monotonic
_GOODBYE = 1.0  # seconds that a last word may take


class Transport(ABC):
    """Moves whole frames between two roles, in order, each once."""

    @abstractmethod
    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        """Send one frame, given in pieces to be joined, within ``timeout`` seconds.

        Raises ``TimeoutError``, or another ``OSError`` when the peer is beyond reach.  The pieces may be
        changed by the program once this returns, so a transport that sends later copies them.
        """

    @abstractmethod
    def receive_frame(self, timeout: float) -> Frame:
        """The next frame, which `read_frame` makes of its bytes, within ``timeout`` seconds.

        Raises ``TimeoutError``, ``EOFError`` when the peer has gone between two frames, `FrameError` when
        within one, or another ``OSError``.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection; may be called twice."""

    def receive_expected(self, link: Link, kind: Kind, site: Site, end: float) -> bytes | Frame:
        """The next frame until the monotonic time ``end``, or only its text where its header is `Link.expect_header`.

        A shortcut for small messages, which a transport need not take.
        """
        return self.receive_frame(max(end - _monotonic(), 0.0))


class FramedEndpoint(Endpoint):
    """An end whose peer is reached through a transport."""

    def __init__(self, transport: Transport, link: Link, deadline: float, *, heartbeat: bool = False) -> None:
        self.deadline = deadline
        self._transport = transport
        self._send_frame, self._receive_expected = transport.send_frame, transport.receive_expected
        self._link = link
        self._extends = heartbeat
        self._announced = self._confirmed = 0

    @property
    def role(self) -> str:  # type: ignore[override]
        return self._link.role

    @property
    def peer(self) -> str:  # type: ignore[override]
        return self._link.peer

    @property
    def link(self) -> Link:
        """The state of the conversation: counts, last sites, the failure if there was one."""
        return self._link

    def send(self, value: object, *, site: Site = None) -> None:
        if site is None:
            site = site_of(sys._getframe(1))
        pieces = self._link.write(_VALUE, value, site)
        try:
            self._send_frame(pieces, self.deadline)
        except OSError as error:
            self._fail_send(error)

    def recv(self, *, timeout: float | None = None, site: Site = None) -> Any:
        if site is None:
            site = site_of(sys._getframe(1))
        return self._receive(_VALUE, timeout, site)

    def select(self, label: Enum, *, site: Site = None) -> None:
        check_label(label)
        if site is None:
            site = site_of(sys._getframe(1))
        self._transmit(self._link.write(_LABEL, label, site))

    def offer(self, *, timeout: float | None = None, site: Site = None) -> Any:
        if site is None:
            site = site_of(sys._getframe(1))
        return self._receive(_LABEL, timeout, site)

    def report_outcome(self, failed: bool, *, site: Site = None) -> None:
        self._transmit(self._link.write(Kind.OUTCOME, failed, site))

    def await_outcome(self, *, site: Site = None) -> tuple[bool, int]:
        told, self._link.outcome = self._link.outcome, None
        passed = 0
        while told is None:
            told = self._link.read_outcome(self._next_frame(None), site)
            passed += told is None
        return told, passed

    def abort(self, reason: str, origin: str | None = None) -> None:
        pieces = self._link.abort_frame(origin or self.role, reason)
        try:
            if pieces is not None:
                self._transport.send_frame(pieces, min(self.deadline, _GOODBYE))
        except OSError:
            pass  # the peer is beyond hearing; its own deadline or the closed connection tells it
        finally:
            self._transport.close()

    def close(self) -> None:
        try:
            while self._announced < END_ROUNDS and self._link.failure is None:
                self._transport.send_frame(self._end_frame(), min(self.deadline, _GOODBYE))
        except OSError:
            pass
        finally:
            self._transport.close()
        self._mark_closed()

    @property
    def is_aborted(self) -> bool:
        return isinstance(self._link.failure, PeerAborted)

    def announce_end(self) -> None:
        if self._link.failure is not None:
            raise self._link.failure
        try:
            self._send_frame(self._end_frame(), self.deadline)
        except TimeoutError as error:
            self._fail_send(error)
        except OSError:
            pass  # the peer may have ended and gone; what it said last is still to be read

    def confirm_end(self) -> None:
        if self._link.failure is not None:
            raise self._link.failure
        self._confirmed += 1
        try:
            frame = self._next_frame(None)
        except DeadlineExceeded:
            raise DeadlineExceeded(
                f"{self.role} has ended and {self.peer} has not within {self.deadline:g} s; "
                "where it may work on, a longer deadline or heartbeats are needed"
            ) from None
        except PeerGone:
            # Its counts agreed, and it left without a word of complaint.
            if self._confirmed < END_ROUNDS:
                raise
            self._link.failure = None
        else:
            if self._confirmed < END_ROUNDS:
                self._link.read_close(frame)
                return
            self._link.read_settled(frame)
        self._transport.close()
        self._mark_closed()

    def _end_frame(self) -> list[Buffer]:
        self._announced += 1
        return self._link.close_frame() if self._announced == 1 else self._link.write_control(Kind.SETTLED)

    def _mark_closed(self) -> None:
        if self._link.failure is None:
            self._link.failure = PeerGone(f"{self.role} has closed its end to {self.peer}")

    def _transmit(self, pieces: Sequence[Buffer]) -> None:
        try:
            self._send_frame(pieces, self.deadline)
        except OSError as error:
            self._fail_send(error)

    def _fail_send(self, error: OSError) -> NoReturn:
        if isinstance(error, TimeoutError):
            self._link.fail(DeadlineExceeded(f"{self.peer} did not read within {self.deadline:g} s"))
        self._link.fail(self._last_words(error))

    def _receive(self, kind: Kind, timeout: float | None, site: Site) -> Any:
        link = self._link
        if link.failure is not None:
            raise link.failure
        limit = self.deadline if timeout is None else timeout
        end = _monotonic() + limit
        try:
            got = self._receive_expected(link, kind, site, end)
        except (OSError, EOFError, ChoreoError) as error:
            self._fail_receive(error, limit)
        if type(got) is bytes:
            return link.read_expected(got, kind, site)
        return link.read(
            self._pass_heartbeats(got, limit, None if self._extends and timeout is None else end), kind, site
        )

    def _next_frame(self, timeout: float | None) -> Frame:
        if self._link.failure is not None:
            raise self._link.failure
        limit = self.deadline if timeout is None else timeout
        end = _monotonic() + limit
        try:
            frame = self._transport.receive_frame(limit)
        except (OSError, EOFError, ChoreoError) as error:
            self._fail_receive(error, limit)
        return self._pass_heartbeats(frame, limit, None if self._extends and timeout is None else end)

    def _fail_receive(self, error: Exception, limit: float) -> NoReturn:
        link = self._link
        if isinstance(error, ChoreoError):
            link.fail(error)
        if isinstance(error, TimeoutError):
            link.fail(DeadlineExceeded(f"{link.role} waited {limit:g} s for {link.peer}"))
        if isinstance(error, EOFError):
            link.fail(PeerGone(f"{link.peer} closed the connection to {link.role}"))
        link.fail(PeerGone(f"{link.peer} is gone: {error}"))

    def _pass_heartbeats(self, frame: Any, limit: float, end: float | None) -> Frame:
        """The next frame that is no heartbeat, until ``end``; without one, each heartbeat begins the time again."""
        try:
            while frame.kind is _HEARTBEAT:
                frame = self._transport.receive_frame(limit if end is None else max(end - _monotonic(), 0.0))
        except (OSError, EOFError, ChoreoError) as error:
            self._fail_receive(error, limit)
        return frame  # type: ignore[no-any-return]

    def _last_words(self, error: OSError) -> ChoreoError:
        """Why a send failed: an abort that waits unread says more than a broken pipe."""
        gone = PeerGone(f"{self.peer} is gone: {error}")
        try:
            for _ in range(1000):
                frame = self._transport.receive_frame(1e-3)
                if frame.kind in (Kind.ABORT, Kind.CLOSE):
                    self._link.received = max(self._link.received, frame.sequence - 1)
                    self._link.read(frame, Kind.VALUE, self._link.last_sent)
        except (PeerAborted, PeerEnded) as told:
            self._link.failure = None
            return told
        except (ChoreoError, OSError, EOFError):
            return gone
        return gone


def open_end(
    transport: Transport, role: str, peer: str, channel: str = "", *, session: Session | None = None
) -> FramedEndpoint:
    """An end of ``role`` over a connected transport; both sides greet, and check who the other is."""
    session = session or Session()
    link = session.link(role, peer, channel)
    end = FramedEndpoint(transport, link, session.deadline, heartbeat=session.heartbeat is not None)
    try:
        greet_peer(end)
    except BaseException:
        transport.close()
        raise
    return end


def greet_peer(end: FramedEndpoint) -> None:
    """Say who speaks and hear who answers; the first frames of every connection."""
    link = end.link
    end._transmit(link.write_control(Kind.HELLO, hello_text(link)))
    frame = end._next_frame(None)
    if frame.kind is Kind.REFUSED:
        link.fail(refusal_error(link, frame))
    if frame.kind is not Kind.HELLO:
        if frame.kind is Kind.ABORT:
            link.read(frame, Kind.HELLO)
        link.fail(FrameError(f"{link.peer} began with a {frame.kind.name.lower()}"))
    link.check_origin(frame)
    check_hello(link, frame)
