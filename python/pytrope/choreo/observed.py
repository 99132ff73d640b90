"""An end that tells what passes through it: the ground of diagrams of real runs, of traces and of injected faults."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .endpoint import Endpoint
from .sites import Site, site_of

__all__ = ["Event", "ObservedEndpoint", "Recorder"]


@dataclass(frozen=True)
class Event:
    """One communication as one of its two roles saw it."""

    role: str
    peer: str
    channel: str
    kind: str
    """``send``, ``recv``, ``select`` or ``offer``."""
    number: int
    """How many messages went this way over this channel before it."""
    site: Site
    time: float
    shown: str


Observer = Callable[[str, "ObservedEndpoint", Site, Any], AbstractContextManager[Any]]


class ObservedEndpoint(Endpoint):
    """Another end, each of whose communications happens within a context that ``around`` gives."""

    def __init__(self, end: Endpoint, channel: str, around: Observer) -> None:
        self.inner = end
        self.role = end.role
        self.peer = end.peer
        self.deadline = end.deadline
        self.channel = channel
        self._around = around

    def send(self, value: object, *, site: Site = None) -> None:
        site = site if site is not None else site_of(sys._getframe(1))
        with self._around("send", self, site, value):
            self.inner.send(value, site=site)

    def recv(self, *, timeout: float | None = None, site: Site = None) -> Any:
        site = site if site is not None else site_of(sys._getframe(1))
        with self._around("recv", self, site, None) as note:
            value = self.inner.recv(timeout=timeout, site=site)
            if callable(note):
                note(value)
            return value

    def select(self, label: Enum, *, site: Site = None) -> None:
        site = site if site is not None else site_of(sys._getframe(1))
        with self._around("select", self, site, label):
            self.inner.select(label, site=site)

    def offer(self, *, timeout: float | None = None, site: Site = None) -> Any:
        site = site if site is not None else site_of(sys._getframe(1))
        with self._around("offer", self, site, None) as note:
            label = self.inner.offer(timeout=timeout, site=site)
            if callable(note):
                note(label)
            return label

    def report_outcome(self, failed: bool, *, site: Site = None) -> None:
        self.inner.report_outcome(failed, site=site)

    def await_outcome(self, *, site: Site = None) -> tuple[bool, int]:
        return self.inner.await_outcome(site=site)

    def abort(self, reason: str, origin: str | None = None) -> None:
        self.inner.abort(reason, origin)

    def close(self) -> None:
        self.inner.close()

    @property
    def is_aborted(self) -> bool:
        return self.inner.is_aborted

    def announce_end(self) -> None:
        self.inner.announce_end()

    def confirm_end(self) -> None:
        self.inner.confirm_end()


class Recorder:
    """Keeps what passes through the ends that it watches, for all threads of a process."""

    def __init__(self, show: Callable[[Any], str] | None = None, clock: Callable[[], float] = time.time) -> None:
        self.events: list[Event] = []
        self._show = show or _show_briefly
        self._clock = clock
        self._counts: dict[tuple[str, str, str, bool], int] = {}
        self._lock = threading.Lock()

    def watch(self, end: Endpoint, channel: str) -> ObservedEndpoint:
        """The same end, whose communications are kept."""
        return ObservedEndpoint(end, channel, self._observe)

    def _observe(self, kind: str, end: ObservedEndpoint, site: Site, value: Any) -> AbstractContextManager[Any]:
        if kind in ("send", "select"):
            # Before it is sent, or the receiver's event might come first.
            self._keep(kind, end, site, value)
            return nullcontext()
        return nullcontext(lambda received: self._keep(kind, end, site, received))

    def _keep(self, kind: str, end: ObservedEndpoint, site: Site, value: Any) -> None:
        sends = kind in ("send", "select")
        with self._lock:
            way = (end.role, end.peer, end.channel, sends)
            number = self._counts[way] = self._counts.get(way, 0) + 1
            event = Event(end.role, end.peer, end.channel, kind, number, site, self._clock(), self._show(value))
            self.events.append(event)


def _show_briefly(value: Any) -> str:
    """A value in a few words: arrays by their shape, long texts by their beginning."""
    shape = getattr(value, "shape", None)
    if shape is not None and getattr(value, "dtype", None) is not None:
        return f"{type(value).__name__} {tuple(shape)} {value.dtype}"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, (bytes, bytearray, list, tuple, dict, set)) and len(value) > 8:
        return f"{type(value).__name__} of {len(value)}"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
