"""Frames within one process: the same bytes as on a network, for tests that want to harm them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from .codec import Buffer
from .frames import Frame, read_frame
from .session import Session
from .transport import FramedEndpoint, Transport

__all__ = ["MemoryTransport", "memory_channel"]

Harm = Callable[[bytes], Sequence[bytes]]
"""What becomes of a frame on its way: nothing, itself, several, others."""


class MemoryTransport(Transport):
    """Frames through two queues; ``harm`` may lose, repeat or change those that are sent."""

    def __init__(
        self,
        inbox: SimpleQueue[bytes | None],
        outbox: SimpleQueue[bytes | None],
        session: Session,
        harm: Harm | None = None,
    ) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._session = session
        self._harm = harm
        self._closed = False

    def send_frame(self, pieces: Sequence[Buffer], timeout: float) -> None:
        frame = b"".join(pieces)
        for sent in [frame] if self._harm is None else self._harm(frame):
            self._outbox.put(sent)

    def receive_frame(self, timeout: float) -> Frame:
        try:
            data = self._inbox.get(timeout=max(timeout, 0.0))
        except Empty:
            raise TimeoutError from None
        if data is None:
            self._inbox.put(None)
            raise EOFError
        return read_frame(data, self._session.max_frame, self._session.max_text)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._outbox.put(None)


def memory_channel(
    first: str,
    second: str,
    channel: str = "",
    *,
    session: Session | None = None,
    harm: Callable[[str, str], Harm | None] | None = None,
) -> tuple[FramedEndpoint, FramedEndpoint]:
    """Both ends of a channel; ``harm(sender, receiver)`` gives what happens to the frames of one direction."""
    session = session or Session()
    there: SimpleQueue[bytes | None] = SimpleQueue()
    back: SimpleQueue[bytes | None] = SimpleQueue()
    made = []
    for role, peer, inbox, outbox in ((first, second, back, there), (second, first, there, back)):
        transport = MemoryTransport(inbox, outbox, session, harm(role, peer) if harm else None)
        made.append(FramedEndpoint(transport, session.link(role, peer, channel), session.deadline))
    return made[0], made[1]
