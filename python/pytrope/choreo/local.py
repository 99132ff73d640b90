"""Channels within one process, between threads."""

from __future__ import annotations

import sys
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from .codec import decode, encode
from .endpoint import DEADLINE, END_ROUNDS, Endpoint
from .errors import (
    ChoreoError,
    CountMismatch,
    DeadlineExceeded,
    DecodeError,
    KindMismatch,
    PeerAborted,
    PeerEnded,
    PeerFailed,
    PeerGone,
    SiteMismatch,
)
from .frames import Kind
from .link import check_label
from .sites import Site, describe_site, site_of

__all__ = ["LocalEndpoint", "local_channel"]

_Message = tuple[Kind, Site, Any, "list[bytearray] | None"]
_VALUE, _LABEL = Kind.VALUE, Kind.LABEL
_SHARED = frozenset({str, bool, type(None), int, float, bytes})


def local_channel(
    first: str, second: str, *, deadline: float = DEADLINE, choreography: str = ""
) -> tuple[LocalEndpoint, LocalEndpoint]:
    """Both ends of a channel between two threads: the first role's, then the second's."""
    there: SimpleQueue[_Message] = SimpleQueue()
    back: SimpleQueue[_Message] = SimpleQueue()
    return (
        LocalEndpoint(first, second, back, there, deadline, choreography),
        LocalEndpoint(second, first, there, back, deadline, choreography),
    )


class LocalEndpoint(Endpoint):
    """An end whose peer is a thread of this process.

    The queue keeps order and loses nothing, so messages need no numbers here; values are
    copied as they would be on a network, and counted, so that none is left unread.
    """

    __slots__ = (
        "_announced",
        "_choreography",
        "_failure",
        "_inbox",
        "_last_received",
        "_last_sent",
        "_outbox",
        "_outcome",
        "_received",
        "_sent",
        "deadline",
        "peer",
        "role",
    )

    def __init__(
        self,
        role: str,
        peer: str,
        inbox: SimpleQueue[_Message],
        outbox: SimpleQueue[_Message],
        deadline: float,
        choreography: str = "",
    ) -> None:
        if not deadline > 0:
            raise ValueError("a deadline must be a positive number of seconds")
        self.role = role
        self.peer = peer
        self.deadline = deadline
        self._inbox = inbox
        self._outbox = outbox
        self._failure: ChoreoError | None = None
        self._choreography = choreography
        self._announced = 0
        self._outcome: bool | None = None
        self._sent = self._received = 0
        self._last_sent: Site = None
        self._last_received: Site = None

    def send(self, value: object, *, site: Site = None) -> None:
        if site is None:
            site = site_of(sys._getframe(1))
        self._put(_VALUE, value, site)

    def recv(self, *, timeout: float | None = None, site: Site = None) -> Any:
        if site is None:
            site = site_of(sys._getframe(1))
        return self._receive(_VALUE, timeout, site)

    def select(self, label: Enum, *, site: Site = None) -> None:
        check_label(label)
        if site is None:
            site = site_of(sys._getframe(1))
        self._put(_LABEL, label, site)

    def offer(self, *, timeout: float | None = None, site: Site = None) -> Any:
        if site is None:
            site = site_of(sys._getframe(1))
        return self._receive(_LABEL, timeout, site)

    def abort(self, reason: str, origin: str | None = None) -> None:
        if isinstance(self._failure, PeerEnded) or not isinstance(self._failure, (PeerAborted, PeerGone)):
            self._outbox.put((Kind.ABORT, None, (origin or self.role, reason), None))
            self._failure = PeerAborted(origin or self.role, reason)

    def close(self) -> None:
        while self._failure is None and self._announced < END_ROUNDS:
            self.announce_end()
        if self._failure is None:
            self._failure = PeerGone(f"{self.role} has closed its end to {self.peer}")

    @property
    def is_aborted(self) -> bool:
        return isinstance(self._failure, PeerAborted)

    def announce_end(self) -> None:
        if self._failure is not None:
            raise self._failure
        self._announced += 1
        if self._announced == 1:
            counts = (self._sent, self._received, self._last_sent, self._last_received)
            self._outbox.put((Kind.CLOSE, None, counts, None))
        else:
            self._outbox.put((Kind.SETTLED, None, None, None))

    def confirm_end(self) -> None:
        kind, there, told, _ = self._next_message(None)
        if kind is Kind.CLOSE:
            self._check_counts(*told)
            return
        if kind is Kind.SETTLED:
            self._failure = PeerGone(f"{self.role} has closed its end to {self.peer}")
            return
        if kind is Kind.ABORT:
            self._fail(PeerAborted(*told))
        here = self._last_received or self._last_sent
        self._fail(
            CountMismatch(
                f"{self.role} has ended, its last communication with {self.peer} at {self._describe(here)}, "
                f"and {self.peer} sent a {kind.name.lower()} from {self._describe(there)}",
                here,
                there,
            )
        )

    def report_outcome(self, failed: bool, *, site: Site = None) -> None:
        self._put(Kind.OUTCOME, failed, site)

    def await_outcome(self, *, site: Site = None) -> tuple[bool, int]:
        told, self._outcome = self._outcome, None
        passed = 0
        while told is None:
            kind, there, value, _ = self._next_message(None)
            if kind in (_VALUE, _LABEL):
                self._received += 1
                passed += 1
            elif kind is Kind.OUTCOME:
                self._check_site(site, there)
                self._received += 1
                self._last_received = site
                told = bool(value)
            else:
                self._refuse_end(kind, value, site)
        return told, passed

    def _put(self, kind: Kind, value: object, site: Site) -> None:
        if self._failure is not None:
            raise self._failure
        if type(value) in _SHARED:
            self._outbox.put((kind, site, value, None))
        else:
            text, buffers = encode(value)
            # The receiver must not share a buffer that the sender may still write to.
            self._outbox.put((kind, site, text, [bytearray(buffer) for buffer in buffers]))
        self._sent += 1
        self._last_sent = site

    def _next_message(self, timeout: float | None) -> _Message:
        if self._failure is not None:
            raise self._failure
        try:
            return self._inbox.get(timeout=self.deadline if timeout is None else max(timeout, 0.0))
        except Empty:
            limit = self.deadline if timeout is None else timeout
            self._fail(DeadlineExceeded(f"{self.role} waited {limit:g} s for {self.peer}"))

    def _receive(self, expected: Kind, timeout: float | None, site: Site) -> Any:
        kind, there, told, buffers = self._next_message(timeout)
        if kind in (Kind.ABORT, Kind.CLOSE):
            self._refuse_end(kind, told, site)
        if kind is Kind.OUTCOME and told:
            self._received += 1
            self._outcome = True
            raise PeerFailed(f"{self.peer} failed in the attempt at {self._describe(there)}")
        self._check_site(site, there)
        if kind is not expected:
            name = expected.name.lower()
            self._fail(KindMismatch(f"{self.role} waits for a {name} and {self.peer} sent a {kind.name.lower()}"))
        self._received += 1
        self._last_received = site
        if buffers is None:
            return told
        try:
            return decode(told, buffers)
        except DecodeError as error:
            self._fail(error)

    def _check_site(self, site: Site, there: Site) -> None:
        if site is not None and there is not None and site != there:
            text = f"{self.role} is at {self._describe(site)} and {self.peer} is at {self._describe(there)}"
            self._fail(SiteMismatch(text, site, there))

    def _refuse_end(self, kind: Kind, told: Any, site: Site) -> NoReturn:
        """The error for a peer that gave up or ended while this end waits for it."""
        if kind is Kind.ABORT:
            self._fail(PeerAborted(*told))
        last = self._describe(told[3] or told[2]) if told else "its end"
        self._fail(
            PeerEnded(
                f"{self.peer} has ended while {self.role} waits for it at {self._describe(site)}; "
                f"the last communication of {self.peer} with {self.role} was at {last}"
            )
        )

    def _check_counts(self, sent: int, received: int, last_sent: Site, last_received: Site) -> None:
        for sender, some, here, receiver, others, there in (
            (self.role, self._sent, self._last_sent, self.peer, received, last_received),
            (self.peer, sent, last_sent, self.role, self._received, self._last_received),
        ):
            if some != others:
                self._fail(
                    CountMismatch(
                        f"{sender} sent {receiver} {some} messages, the last at {self._describe(here)}, "
                        f"and {receiver} ended having received {others}, the last at {self._describe(there)}",
                        here,
                        there,
                    )
                )

    def _describe(self, site: Site) -> str:
        return describe_site(site, self._choreography)

    def _fail(self, error: ChoreoError) -> NoReturn:
        self._failure = error
        raise error
