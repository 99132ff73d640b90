"""Faults to inject into a run in one process: what a network, a process or a bug can do, on demand.

Messages are counted from 1 in each direction of a channel; the greeting and the end are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from .endpoint import Endpoint
from .frames import HEADER, Kind
from .memory import Harm
from .observed import ObservedEndpoint
from .sites import Site

__all__ = ["Corrupt", "Crash", "Cut", "Drop", "Duplicate", "Fault", "InjectedCrash", "Swap", "crash_at", "harm_frames"]


class InjectedCrash(Exception):
    """What a role fails with that `Crash` was injected into."""


@dataclass(frozen=True)
class Fault:
    """Something that happens to one message from ``sender`` to ``receiver``."""

    sender: str
    receiver: str
    number: int = 1


class Drop(Fault):
    """The message is lost."""


class Duplicate(Fault):
    """The message arrives twice."""


class Swap(Fault):
    """The message arrives after the one that follows it."""


class Corrupt(Fault):
    """The message arrives whole, and its text means nothing."""


class Cut(Fault):
    """The connection ends within the message."""


@dataclass(frozen=True)
class Crash:
    """The role fails before its communication of that number, over all its channels."""

    role: str
    number: int = 1


def harm_frames(faults: Iterable[Fault | Crash]) -> Callable[[str, str], Harm | None]:
    """What `memory_channel` does to the frames of each direction."""
    listed = [fault for fault in faults if isinstance(fault, Fault)]

    def harm_of(sender: str, receiver: str) -> Harm | None:
        own = {fault.number: fault for fault in listed if (fault.sender, fault.receiver) == (sender, receiver)}
        return _Way(own).pass_on if own else None

    return harm_of


class _Way:
    """One direction of a channel: counts the messages and does to each what was asked for."""

    def __init__(self, faults: dict[int, Fault]) -> None:
        self._faults = faults
        self._count = 0
        self._held: list[bytes] = []

    def pass_on(self, frame: bytes) -> Sequence[bytes]:
        held, self._held = self._held, []
        if HEADER.unpack_from(frame)[2] not in (Kind.VALUE, Kind.LABEL):
            return [frame, *held]
        self._count += 1
        match self._faults.get(self._count):
            case Drop():
                return held
            case Duplicate():
                return [frame, frame, *held]
            case Swap():
                self._held = [frame]
                return held
            case Corrupt():
                # The one byte that begins nothing in MessagePack.
                return [frame[: HEADER.size] + b"\xc1" * (len(frame) - HEADER.size), *held]
            case Cut():
                return [frame[: HEADER.size + 1], *held]
            case _:
                return [frame, *held]


def crash_at(role: str, faults: Iterable[Fault | Crash]) -> Callable[[Endpoint, str], Endpoint]:
    """A wrapper for the ends of ``role`` that fails where a `Crash` says so."""
    numbers = {fault.number for fault in faults if isinstance(fault, Crash) and fault.role == role}
    count = 0

    def around(_kind: str, _end: ObservedEndpoint, _site: Site, _value: Any) -> AbstractContextManager[Any]:
        nonlocal count
        count += 1
        if count in numbers:
            raise InjectedCrash(f"{role} was made to fail before its communication {count}")
        return nullcontext()

    return lambda end, channel: ObservedEndpoint(end, channel, around) if numbers else end
