"""Heartbeats: a thread that says for the ends of this process that it still lives.

A role that works for long without sending is not dead.  Where a session asks for it, each end sends an
empty frame every so often, and the peer's deadline counts from the last one.
"""

from __future__ import annotations

import threading
import weakref

from .frames import Kind
from .link import Link
from .sockets import SocketTransport

__all__ = ["start_heartbeat"]


def start_heartbeat(transport: SocketTransport, link: Link, interval: float) -> None:
    """Send heartbeats through ``transport`` until it is closed or no longer used."""
    transport.lock = threading.Lock()
    pieces = link.write_control(Kind.HEARTBEAT)
    # The thread must not keep an end alive that its program has dropped.
    reference = weakref.ref(transport)
    ended = threading.Event()
    weakref.finalize(transport, ended.set)

    def beat() -> None:
        while not ended.wait(interval):
            living = reference()
            if living is None or living.connection.fileno() < 0:
                return
            living.send_at_once(pieces)
            del living

    threading.Thread(target=beat, name=f"heartbeat of {link.role} to {link.peer}", daemon=True).start()
