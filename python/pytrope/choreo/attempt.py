"""A ``try`` with messages from which all of its roles recover together, or none does.

Each role tells its peers how its part has ended, and passes over what they sent before they failed.  After as many
rounds as the roles are channels apart, all of them know whether one has failed; then each enters its handler.
A role that waits for a peer which has failed learns of it by `PeerFailed` in place of the message.
"""

from __future__ import annotations

from .aio import AsyncEndpoint
from .endpoint import Endpoint
from .errors import PeerFailed, SiteMismatch
from .sites import Site

__all__ = ["AsyncAttempt", "Attempt"]

_FAILED = "another role failed in this attempt"


class _Agreement:
    """What the roles of an attempt have told each other so far."""

    def __init__(self, rounds: int, site: Site) -> None:
        self._rounds = rounds
        self._site = site
        self._agreed = False
        self._failed = False

    def _hear(self, role: str, peer: str, told: tuple[bool, int]) -> bool:
        failed, passed = told
        if passed and not failed and not self._failed:
            raise SiteMismatch(f"{peer} sent {role} {passed} messages in an attempt that neither failed in", self._site)
        return failed


class Attempt(_Agreement):
    """One ``try``: `settle` ends its body, `recover` begins its handler."""

    def __init__(self, *ends: Endpoint, rounds: int = 1, site: Site = None) -> None:
        super().__init__(rounds, site)
        self._ends = ends

    def settle(self) -> None:
        """Wait until every role has ended its part; an error if one has failed."""
        self._exchange()
        if self._failed:
            raise PeerFailed(_FAILED)

    def recover(self) -> None:
        """Tell every role that this one has failed, and wait until all know; they recover as well."""
        if not self._agreed:
            self._failed = True
            self._exchange()

    def _exchange(self) -> None:
        for _ in range(self._rounds):
            for end in self._ends:
                end.report_outcome(self._failed, site=self._site)
            heard = [self._hear(end.role, end.peer, end.await_outcome(site=self._site)) for end in self._ends]
            self._failed |= any(heard)
        self._agreed = True


class AsyncAttempt(_Agreement):
    """As `Attempt`, for programs of asyncio."""

    def __init__(self, *ends: AsyncEndpoint, rounds: int = 1, site: Site = None) -> None:
        super().__init__(rounds, site)
        self._ends = ends

    async def settle(self) -> None:
        """As `Attempt.settle`."""
        await self._exchange()
        if self._failed:
            raise PeerFailed(_FAILED)

    async def recover(self) -> None:
        """As `Attempt.recover`."""
        if not self._agreed:
            self._failed = True
            await self._exchange()

    async def _exchange(self) -> None:
        for _ in range(self._rounds):
            for end in self._ends:
                await end.report_outcome(self._failed, site=self._site)
            heard = [self._hear(end.role, end.peer, await end.await_outcome(site=self._site)) for end in self._ends]
            self._failed |= any(heard)
        self._agreed = True
