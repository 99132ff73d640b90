"""All roles of a choreography as tasks of one event loop, or one role of them: the asyncio side of `simulation`."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from .aio import AsyncEndpoint, AsyncListener, connect_async
from .endpoint import END_ROUNDS, told_of
from .errors import RoleFailed
from .session import Session
from .simulation import origins_first

__all__ = ["async_channel", "meet_async", "play_async", "run_roles_async"]

AsyncProgram = Callable[[], Awaitable[Any]]


async def async_channel(
    first: str, second: str, channel: str = "", *, session: Session | None = None
) -> tuple[AsyncEndpoint, AsyncEndpoint]:
    """Both ends of a channel between two tasks: the first role's, then the second's."""
    session = session or Session()
    ends = []
    for role, peer, made in zip((first, second), (second, first), socket.socketpair(), strict=True):
        reader, writer = await asyncio.open_connection(sock=made)
        ends.append(AsyncEndpoint(reader, writer, session.link(role, peer, channel), session))
    return ends[0], ends[1]


async def play_async(role: str, program: AsyncProgram, ends: Iterable[AsyncEndpoint]) -> Any:
    """Run one role's program; whatever happens, its peers learn of it."""
    ends = list(ends)
    try:
        result = await program()
        # A channel that an abort has ended is over at both ends, and the program has handled that.
        ends = [end for end in ends if not getattr(end, "is_aborted", False)]
        # All are told before any is awaited, or roles in a circle would wait for each other.
        for _ in range(END_ROUNDS):
            for end in ends:
                await end.announce_end()
            for end in ends:
                await end.confirm_end()
    except BaseException as error:
        origin, reason = told_of(error, role)
        for end in ends:
            await end.abort(reason, origin)
        raise
    return result


async def run_roles_async(programs: Mapping[str, AsyncProgram], ends: Iterable[AsyncEndpoint] = ()) -> dict[str, Any]:
    """Run every role's program as a task of its own and give each role's result, as `run_roles` does with threads."""
    owned: dict[str, list[AsyncEndpoint]] = {role: [] for role in programs}
    for end in ends:
        owned[end.role].append(end)
    playing = [play_async(role, program, owned[role]) for role, program in programs.items()]
    done = dict(zip(programs, await asyncio.gather(*playing, return_exceptions=True), strict=True))
    failures = {role: result for role, result in done.items() if isinstance(result, BaseException)}
    if failures:
        raise RoleFailed(origins_first(programs, failures))
    return done


async def meet_async(
    role: str, wanted: list[tuple[str, str]], listen: str | None, addresses: Mapping[str, str], session: Session
) -> dict[str, AsyncEndpoint]:
    """The ends of a role by channel: connect to the peers with an address and await the others, at the same time."""
    awaited = [pair for pair in wanted if pair[0] not in addresses]
    listener = await AsyncListener.open(listen, role, session=session) if awaited and listen else None

    async def reach(peer: str, name: str) -> tuple[str, AsyncEndpoint]:
        if peer in addresses:
            return name, await connect_async(addresses[peer], role, peer, name, session=session)
        assert listener is not None
        return name, await listener.accept(peer, name)

    try:
        return dict(await asyncio.gather(*(reach(peer, name) for peer, name in wanted)))
    finally:
        if listener is not None:
            await listener.close()
