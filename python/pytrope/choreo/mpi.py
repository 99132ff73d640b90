"""Channels over MPI: ``pip install 'pytrope[mpi]'``, and an MPI to run it with.

Every role is a rank of one communicator, and a channel is a tag: its position among all channels, sorted.  No connection
comes from outside the communicator, so the greeting only checks that all ranks run the same choreography.
MPI does not report that a rank has died: it is noticed by the deadline, or by MPI, which ends them all.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

from .codec import Buffer
from .errors import ChoreoError, MissingExtra
from .frames import Frame, read_frame
from .session import Session
from .transport import FramedEndpoint, Transport, open_end

__all__ = ["MpiTransport", "open_mpi_end", "open_mpi_ends", "role_of_rank"]

_LONGEST_PAUSE = 1e-3  # seconds between two looks at a request that is not done
_LAST_WORDS = 1.0


def _load_mpi() -> Any:
    try:
        return importlib.import_module("mpi4py.MPI")
    except (ImportError, RuntimeError):
        raise MissingExtra("the MPI transport", "mpi") from None


class MpiTransport(Transport):
    """The frames between this rank and another, under one tag."""

    def __init__(self, rank: int, tag: int, *, session: Session, communicator: Any = None) -> None:
        self._mpi = _load_mpi()
        self._communicator = self._mpi.COMM_WORLD if communicator is None else communicator
        self._rank = rank
        self._tag = tag
        self._session = session
        self._sending: list[tuple[Any, bytes]] = []

    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        # The system may send later, so the frame is copied and kept until it has.
        data = b"".join(pieces)
        self._sending = [(request, kept) for request, kept in self._sending if not request.Test()]
        request = self._communicator.Isend([data, self._mpi.BYTE], dest=self._rank, tag=self._tag)
        self._sending.append((request, data))
        if len(self._sending) > 64:
            oldest = self._sending[0][0]
            self._wait(oldest.Test, timeout)

    def receive_frame(self, timeout: float) -> Frame:
        status = self._mpi.Status()
        found: list[Any] = []

        def has_come() -> bool:
            message = self._communicator.Improbe(source=self._rank, tag=self._tag, status=status)
            if message is not None:
                found.append(message)
            return bool(found)

        self._wait(has_come, timeout)
        data = bytearray(status.Get_count(self._mpi.BYTE))
        found[0].Recv([data, self._mpi.BYTE])
        return read_frame(data, self._session.max_frame, self._session.max_text)

    def close(self) -> None:
        end = time.monotonic() + _LAST_WORDS
        for request, _ in self._sending:
            try:
                self._wait(request.Test, max(end - time.monotonic(), 0.0))
            except TimeoutError:
                request.Cancel()
        self._sending.clear()

    def _wait(self, is_done: Any, timeout: float) -> None:
        """MPI has no wait with a limit, so requests are looked at, less often the longer it takes."""
        end = time.monotonic() + timeout
        pause = 0.0
        while not is_done():
            if time.monotonic() >= end:
                raise TimeoutError
            time.sleep(pause)
            pause = min(pause + 1e-5, _LONGEST_PAUSE)


def role_of_rank(roles: Sequence[str]) -> str:
    """The role that this rank plays: the ranks are the roles in their order."""
    world = _load_mpi().COMM_WORLD
    if world.Get_size() != len(roles):
        raise ChoreoError(f"{len(roles)} roles need as many ranks: mpiexec -n {len(roles)}, not {world.Get_size()}")
    rank: int = world.Get_rank()
    return roles[rank]


def open_mpi_end(
    role: str, peer: str, channel: str = "", *, ranks: Mapping[str, int], tag: int = 1, session: Session | None = None
) -> FramedEndpoint:
    """An end of this rank, which plays ``role``, to the rank that plays ``peer``."""
    session = session or Session()
    session.require_plain("MPI")
    if _load_mpi().COMM_WORLD.Get_rank() != ranks[role]:
        raise ChoreoError(f"{role} is rank {ranks[role]}, and this is another")
    return open_end(MpiTransport(ranks[peer], tag, session=session), role, peer, channel, session=session)


def open_mpi_ends(
    role: str, connections: Sequence[tuple[str, str, str]], ranks: Mapping[str, int], session: Session
) -> dict[tuple[str, str], FramedEndpoint]:
    """The ends of ``role`` by peer and channel; all roles greet in the same order."""
    ends: dict[tuple[str, str], FramedEndpoint] = {}
    for tag, (first, second, name) in enumerate(sorted(connections), 1):
        if role in (first, second):
            peer = second if role == first else first
            ends[peer, name] = open_mpi_end(role, peer, name, ranks=ranks, tag=tag, session=session)
    return ends
