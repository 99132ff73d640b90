"""What an end of a channel can do, whatever carries it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from types import TracebackType
from typing import Any, Self

from .errors import ChoreoError, PeerAborted
from .sites import Site

__all__ = ["DEADLINE", "END_ROUNDS", "Endpoint", "told_of"]

DEADLINE = 30.0
"""Seconds that a receive waits unless told otherwise."""


END_ROUNDS = 2
"""How often a role announces and confirms its end: once for the counts, once for their agreeing everywhere.

Without the second, a role would end well whose peer finds, a moment later, that it disagrees with a third.
"""


class Endpoint(ABC):
    """One role's end of a channel.  An end belongs to one thread at a time."""

    role: str
    peer: str
    deadline: float

    @abstractmethod
    def send(self, value: object, *, site: Site = None) -> None:
        """Send a value to the peer."""

    @abstractmethod
    def recv(self, *, timeout: float | None = None, site: Site = None) -> Any:
        """The next value from the peer; an error after ``timeout`` (else the deadline) seconds."""

    @abstractmethod
    def select(self, label: Enum, *, site: Site = None) -> None:
        """Tell the peer which branch was taken."""

    @abstractmethod
    def offer(self, *, timeout: float | None = None, site: Site = None) -> Any:
        """The label that the peer selected, as a member of this program's own enum."""

    @abstractmethod
    def abort(self, reason: str, origin: str | None = None) -> None:
        """Tell the peer that this role gives up; never fails, may be called twice."""

    @abstractmethod
    def close(self) -> None:
        """Say that nothing more will come; never fails, may be called twice."""

    @abstractmethod
    def announce_end(self) -> None:
        """The first time: tell the peer that this role's program has ended, and how much it sent and received.

        The second time: tell it that what all peers said of their ends agrees with this role's counts.
        """

    @abstractmethod
    def confirm_end(self) -> None:
        """Wait until the peer has announced the same; an error if the two counted differently, or it gave up."""

    def report_outcome(self, failed: bool, *, site: Site = None) -> None:
        """Tell the peer how this role's attempt has ended; see `Attempt`."""
        raise ChoreoError(f"{type(self).__name__} does not support recovery")

    def await_outcome(self, *, site: Site = None) -> tuple[bool, int]:
        """Whether the peer's attempt has failed, and how many of its messages were passed over."""
        raise ChoreoError(f"{type(self).__name__} does not support recovery")

    @property
    def is_aborted(self) -> bool:
        """Whether an abort has ended this channel: a program that goes on afterwards has handled it."""
        return False

    def finish(self) -> None:
        """End this channel with the peer's consent: success means that no message went astray."""
        for _ in range(END_ROUNDS):
            self.announce_end()
            self.confirm_end()

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


def told_of(error: BaseException, role: str) -> tuple[str, str]:
    """Where a failure began and what it was, so that an abort passed on keeps its origin."""
    if isinstance(error, PeerAborted):
        return error.origin, error.reason
    return role, f"{type(error).__name__}: {error}"
