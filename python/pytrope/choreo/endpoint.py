"""What an end of a channel can do, whatever carries it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from types import FrameType, TracebackType
from typing import Any, Self

from .errors import PeerAborted

__all__ = ["DEADLINE", "Endpoint", "site_of", "told_of"]

DEADLINE = 30.0
"""Seconds that a receive waits unless told otherwise."""


class Endpoint(ABC):
    """One role's end of a channel.  An end belongs to one thread at a time."""

    role: str
    peer: str
    deadline: float

    @abstractmethod
    def send(self, value: object, *, site: str | None = None) -> None:
        """Send a value to the peer."""

    @abstractmethod
    def recv(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        """The next value from the peer; an error after ``timeout`` (else the deadline) seconds."""

    @abstractmethod
    def select(self, label: Enum, *, site: str | None = None) -> None:
        """Tell the peer which branch was taken."""

    @abstractmethod
    def offer(self, *, timeout: float | None = None, site: str | None = None) -> Any:
        """The label that the peer selected, as a member of this program's own enum."""

    @abstractmethod
    def abort(self, reason: str, origin: str | None = None) -> None:
        """Tell the peer that this role gives up; never fails, may be called twice."""

    @abstractmethod
    def close(self) -> None:
        """Say that nothing more will come; never fails, may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            origin, reason = told_of(error, self.role)
            self.abort(reason, origin)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.role}, to {self.peer}>"


def site_of(frame: FrameType) -> str | None:
    """Where a projected program is: the method of the choreography that it runs.

    A communication stands in the same method at both of its roles, so the two must agree.
    Other programs may be arranged as they like, and name sites themselves if they want them compared.
    """
    return frame.f_code.co_name if "CHOREOGRAPHY" in frame.f_globals else None


def told_of(error: BaseException, role: str) -> tuple[str, str]:
    """Where a failure began and what it was, so that an abort passed on keeps its origin."""
    if isinstance(error, PeerAborted):
        return error.origin, error.reason
    return role, f"{type(error).__name__}: {error}"
