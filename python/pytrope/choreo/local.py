"""Channels within one process, between threads."""

from __future__ import annotations

import sys
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from .codec import Buffer, pack, unpack
from .endpoint import DEADLINE, Endpoint, site_of
from .errors import (
    ChoreoError,
    DeadlineExceeded,
    DecodeError,
    KindMismatch,
    PeerAborted,
    PeerGone,
    SiteMismatch,
)
from .frames import Kind
from .link import check_label

__all__ = ["LocalEndpoint", "local_channel"]

_Message = tuple[Kind, str | None, Any, "tuple[Buffer, ...] | list[Buffer] | Any"]
_VALUE, _LABEL = Kind.VALUE, Kind.LABEL


def local_channel(first: str, second: str, *, deadline: float = DEADLINE) -> tuple[LocalEndpoint, LocalEndpoint]:
    """Both ends of a channel between two threads: the first role's, then the second's."""
    there: SimpleQueue[_Message] = SimpleQueue()
    back: SimpleQueue[_Message] = SimpleQueue()
    return (
        LocalEndpoint(first, second, back, there, deadline),
        LocalEndpoint(second, first, there, back, deadline),
    )


class LocalEndpoint(Endpoint):
    """An end whose peer is a thread of this process.

    The queue keeps order and loses nothing, so frames need no numbers here; values are
    copied as they would be on a network.
    """

    __slots__ = ("_failure", "_inbox", "_outbox", "deadline", "peer", "role")

    def __init__(
        self,
        role: str,
        peer: str,
        inbox: SimpleQueue[_Message],
        outbox: SimpleQueue[_Message],
        deadline: float,
    ) -> None:
        if not deadline > 0:
            raise ValueError("a deadline must be a positive number of seconds")
        self.role = role
        self.peer = peer
        self.deadline = deadline
        self._inbox = inbox
        self._outbox = outbox
        self._failure: ChoreoError | None = None

    def send(self, value: object, *, site: str | None = None) -> None:
        if self._failure is not None:
            raise self._failure
        tree, buffers = pack(value)
        self._outbox.put((_VALUE, site or site_of(sys._getframe(1)), tree, buffers))

    def recv(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        return self._receive(_VALUE, timeout, site or site_of(sys._getframe(1)))

    def select(self, label: Enum, *, site: str | None = None) -> None:
        check_label(label)
        if self._failure is not None:
            raise self._failure
        tree, buffers = pack(label)
        self._outbox.put((_LABEL, site or site_of(sys._getframe(1)), tree, buffers))

    def offer(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        return self._receive(_LABEL, timeout, site or site_of(sys._getframe(1)))

    def abort(self, reason: str, origin: str | None = None) -> None:
        if not isinstance(self._failure, (PeerAborted, PeerGone)):
            self._outbox.put((Kind.ABORT, None, (origin or self.role, reason), ()))
            self._failure = PeerAborted(origin or self.role, reason)

    def close(self) -> None:
        if self._failure is None:
            self._outbox.put((Kind.CLOSE, None, None, ()))
            self._failure = PeerGone(f"{self.role} has closed its end to {self.peer}")

    def _receive(self, expected: Kind, timeout: float | None, site: str | None) -> Any:
        if self._failure is not None:
            raise self._failure
        try:
            kind, there, tree, buffers = self._inbox.get(
                timeout=self.deadline if timeout is None else max(timeout, 0.0)
            )
        except Empty:
            self._fail(
                DeadlineExceeded(
                    f"{self.role} waited {self.deadline if timeout is None else timeout:g} s for {self.peer}"
                )
            )
        if kind is not expected:
            self._fail(self._unexpected(kind, expected, tree))
        if site is not None and there is not None and site != there:
            self._fail(SiteMismatch(f"{self.role} is at {site} and {self.peer} is at {there}"))
        try:
            return unpack(tree, buffers)
        except DecodeError as error:
            self._fail(error)

    def _unexpected(self, kind: Kind, expected: Kind, told: Any) -> ChoreoError:
        if kind is Kind.ABORT:
            return PeerAborted(*told)
        if kind is Kind.CLOSE:
            return PeerGone(f"{self.peer} has ended while {self.role} waits for it")
        return KindMismatch(
            f"{self.role} waits for a {expected.name.lower()} and {self.peer} sent a {kind.name.lower()}"
        )

    def _fail(self, error: ChoreoError) -> NoReturn:
        self._failure = error
        raise error
