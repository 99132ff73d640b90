"""Families of roles: the ends of stars and meshes, for any number of members.

A family is one role of a choreography that any number of processes play, all with the same program.  A *star* joins one
role and each member; a *mesh* joins the members among themselves.  Both are made of ordinary ends, whatever carries them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from queue import SimpleQueue
from typing import Any

from .codec import copy_payload
from .endpoint import Endpoint
from .local import local_channel

__all__ = ["MeshMember", "StarCentre", "StarMember", "mesh_channel", "star_channel"]

MakeChannel = Callable[[str, str], tuple[Endpoint, Endpoint]]
"""What makes both ends of a channel between two roles."""


class StarCentre:
    """The end of a star at the role in its middle: one end to each member, in the order of their ranks."""

    def __init__(self, ends: Sequence[Endpoint]) -> None:
        if not ends:
            raise ValueError("a star has at least one member")
        self.ends = list(ends)
        self.role = self.ends[0].role
        self._late: list[threading.Thread] = []
        self._arrived: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    @property
    def count(self) -> int:
        """How many members there are."""
        return len(self.ends)

    def broadcast(self, value: object, *, site: Any = None) -> None:
        """Send the same value to every member."""
        self._await_late()
        for end in self.ends:
            end.send(value, site=site)

    def scatter(self, values: Sequence[object], *, site: Any = None) -> None:
        """Send each member its own item."""
        self._await_late()
        items = list(values)
        if len(items) != self.count:
            raise ValueError(f"{len(items)} item(s) cannot be scattered over {self.count} member(s)")
        for end, item in zip(self.ends, items, strict=True):
            end.send(item, site=site)

    def share(self, value: Any, *, site: Any = None) -> Any:
        """Send the same value to every member, and give a copy of it."""
        self.broadcast(value, site=site)
        return copy_payload(value)

    def gather(self, *, site: Any = None) -> list[Any]:
        """What every member sends, by rank."""
        self._await_late()
        return [end.recv(site=site) for end in self.ends]

    def first(self, *, site: Any = None) -> Any:
        """What arrives first; the others' values are received too, and dropped."""
        self._await_late()

        def receive(rank: int, end: Endpoint) -> None:
            try:
                self._arrived.put((rank, end.recv(site=site), None))
            except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
                self._arrived.put((rank, None, error))

        self._late = [
            threading.Thread(target=receive, args=(rank, end), daemon=True) for rank, end in enumerate(self.ends)
        ]
        for thread in self._late:
            thread.start()
        return self._next_arrival()

    def select(self, label: Enum, *, site: Any = None) -> None:
        """Tell every member which branch was taken."""
        self._await_late()
        for end in self.ends:
            end.select(label, site=site)

    def abort(self, reason: str, origin: str | None = None) -> None:
        """Tell every member that this role gives up."""
        for end in self.ends:
            end.abort(reason, origin)

    def close(self) -> None:
        """Say to every member that nothing more will come."""
        for end in self.ends:
            end.close()

    def announce_end(self) -> None:
        """Tell every member that this role's program has ended."""
        self._await_late()
        for end in self.ends:
            end.announce_end()

    def confirm_end(self) -> None:
        """Wait until every member's program has ended too."""
        for end in self.ends:
            end.confirm_end()

    def _next_arrival(self) -> Any:
        _, value, error = self._arrived.get()
        if error is not None:
            raise error
        return value

    def _await_late(self) -> None:
        """An end belongs to one thread at a time: what is still being received comes first."""
        waiting, self._late = self._late, []
        for thread in waiting:
            thread.join()
        for _ in range(len(waiting) - 1):
            self._next_arrival()


class StarMember:
    """The end of a star at one of its members: a channel to the middle that knows its place."""

    def __init__(self, end: Endpoint, rank: int, count: int) -> None:
        self.end = end
        self.rank = rank
        self.count = count
        self.role = end.role
        self.send = end.send
        self.recv = end.recv
        self.offer = end.offer
        self.abort = end.abort
        self.close = end.close
        self.announce_end = end.announce_end
        self.confirm_end = end.confirm_end


class MeshMember:
    """One member's end of a mesh: an end to each other member, by rank.

    Two members exchange in the order of their ranks, and pairs in the order of the lower and then the higher rank, so that no
    circle of members waits for each other however large the messages are.
    """

    def __init__(self, ends: Mapping[int, Endpoint], rank: int, role: str) -> None:
        if rank in ends or sorted([*ends, rank]) != list(range(len(ends) + 1)):
            raise ValueError(f"the member of rank {rank} needs an end to each other rank, found {sorted(ends)}")
        self.ends = dict(sorted(ends.items()))
        self.rank = rank
        self.role = role

    @property
    def count(self) -> int:
        """How many members there are."""
        return len(self.ends) + 1

    def allgather(self, value: Any, *, site: Any = None) -> list[Any]:
        """What every member has, by rank, at every member."""
        return self.alltoall([value] * self.count, site=site)

    def alltoall(self, values: Sequence[Any], *, site: Any = None) -> list[Any]:
        """Send each member its own item; what each of them sent here, by rank."""
        items = list(values)
        if len(items) != self.count:
            raise ValueError(f"{len(items)} item(s) cannot be sent to {self.count} member(s)")
        received = [copy_payload(items[self.rank])] * self.count
        for rank, end in self.ends.items():
            if self.rank < rank:
                end.send(items[rank], site=site)
                received[rank] = end.recv(site=site)
            else:
                received[rank] = end.recv(site=site)
                end.send(items[rank], site=site)
        return received

    def shift(self, value: Any, *, site: Any = None) -> Any:
        """Send to the next member, receive from the one before; the last is followed by the first."""
        if not self.ends:
            return copy_payload(value)
        after, before = self.ends[(self.rank + 1) % self.count], self.ends[(self.rank - 1) % self.count]
        if self.rank == 0:
            after.send(value, site=site)
            return before.recv(site=site)
        received = before.recv(site=site)
        after.send(value, site=site)
        return received

    def abort(self, reason: str, origin: str | None = None) -> None:
        """Tell every other member that this one gives up."""
        for end in self.ends.values():
            end.abort(reason, origin)

    def close(self) -> None:
        """Say to every other member that nothing more will come."""
        for end in self.ends.values():
            end.close()

    def announce_end(self) -> None:
        """Tell every other member that this one's program has ended."""
        for end in self.ends.values():
            end.announce_end()

    def confirm_end(self) -> None:
        """Wait until every other member's program has ended too."""
        for end in self.ends.values():
            end.confirm_end()


def star_channel(
    centre: str, family: str, count: int, *, channel: MakeChannel = local_channel
) -> tuple[StarCentre, list[StarMember]]:
    """All ends of a star within one process: the middle's, then the members' by rank."""
    pairs = [channel(centre, f"{family}[{rank}]") for rank in range(count)]
    members = [StarMember(end, rank, count) for rank, (_, end) in enumerate(pairs)]
    return StarCentre([end for end, _ in pairs]), members


def mesh_channel(family: str, count: int, *, channel: MakeChannel = local_channel) -> list[MeshMember]:
    """All ends of a mesh within one process, by rank."""
    ends: list[dict[int, Endpoint]] = [{} for _ in range(count)]
    for low in range(count):
        for high in range(low + 1, count):
            ends[low][high], ends[high][low] = channel(f"{family}[{low}]", f"{family}[{high}]")
    return [MeshMember(mine, rank, f"{family}[{rank}]") for rank, mine in enumerate(ends)]
