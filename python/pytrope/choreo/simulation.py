"""All roles of a choreography in one process: a thread each, results and failures gathered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .endpoint import END_ROUNDS, Endpoint, told_of
from .errors import PeerAborted, PeerGone, RoleFailed

__all__ = ["origins_first", "play", "run_roles"]


def play(role: str, program: Callable[[], Any], ends: Iterable[Endpoint]) -> Any:
    """Run one role's program; whatever happens, its peers learn of it.

    A role succeeds when its program has ended and so have those of its peers, with no message left over.
    """
    ends = list(ends)
    try:
        result = program()
        # A channel that an abort has ended is over at both ends, and the program has handled that.
        ends = [end for end in ends if not getattr(end, "is_aborted", False)]
        # All are told before any is awaited, or roles in a circle would wait for each other.
        for _ in range(END_ROUNDS):
            for end in ends:
                end.announce_end()
            for end in ends:
                end.confirm_end()
    except BaseException as error:
        origin, reason = told_of(error, role)
        for end in ends:
            end.abort(reason, origin)
        raise
    return result


def run_roles(programs: Mapping[str, Callable[[], Any]], ends: Iterable[Endpoint] = ()) -> dict[str, Any]:
    """Run every role's program in a thread of its own and give each role's result.

    ``ends`` are the ends that the programs use; an end belongs to the role it names.  When a
    role fails the others are told through their channels, and all failures are raised together.
    """
    owned: dict[str, list[Endpoint]] = {role: [] for role in programs}
    for end in ends:
        owned[end.role].append(end)
    results: dict[str, Any] = {}
    failures: dict[str, BaseException] = {}

    def perform(role: str) -> None:
        try:
            results[role] = play(role, programs[role], owned[role])
        except BaseException as error:  # noqa: BLE001 - a thread has no caller to raise to
            failures[role] = error

    threads = [threading.Thread(target=perform, args=(role,), name=role, daemon=True) for role in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise RoleFailed(origins_first(programs, failures))
    return {role: results[role] for role in programs}


def origins_first(programs: Mapping[str, object], failures: Mapping[str, BaseException]) -> dict[str, BaseException]:
    """Failures in the order in which a reader wants them: causes, then consequences."""
    told = (PeerAborted, PeerGone)
    ordered = sorted((role for role in programs if role in failures), key=lambda role: isinstance(failures[role], told))
    return {role: failures[role] for role in ordered}
