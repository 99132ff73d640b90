"""Channels over TCP and TLS: connecting to a peer that listens, or soon will."""

from __future__ import annotations

import socket
import ssl
import time

from .errors import ChoreoError, DeadlineExceeded, PeerGone, WrongPeer
from .heartbeat import start_heartbeat
from .link import Link
from .session import Session, parse_address
from .sockets import SocketTransport, open_transport
from .transport import FramedEndpoint, greet_peer

__all__ = ["Session", "TcpEndpoint", "connect", "parse_address"]

_RETRY = 0.05  # seconds between attempts to reach a peer that does not listen yet


class TcpEndpoint(FramedEndpoint):
    """An end whose peer is reached through a socket."""

    _transport: SocketTransport

    def __init__(self, connection: socket.socket, link: Link, session: Session) -> None:
        transport = open_transport(connection, link)
        super().__init__(transport, link, session.deadline, heartbeat=session.heartbeat is not None)
        if session.heartbeat is not None:
            start_heartbeat(transport, link, session.heartbeat)


def connect(
    address: str | tuple[str, int], role: str, peer: str, channel: str = "", *, session: Session | None = None
) -> TcpEndpoint:
    """An end of ``role`` to ``peer``, which listens, or soon will, at ``address``."""
    session = session or Session()
    host, port = parse_address(address)
    end = time.monotonic() + session.deadline
    while True:
        connection = _reach(host, port, role, peer, end)
        try:
            if session.client_tls is not None:
                connection.settimeout(max(end - time.monotonic(), 1e-3))
                connection = session.client_tls.wrap_socket(connection, server_hostname=host)
            session.check_identity(peer, connection)
            endpoint = TcpEndpoint(connection, session.link(role, peer, channel), session)
            greet_peer(endpoint)
            return endpoint
        except PeerGone:
            # A listener with too many unidentified connections may drop one before it has read its greeting.
            connection.close()
            if time.monotonic() + _RETRY >= end or session.client_tls is not None:
                raise
            time.sleep(_RETRY)
        except (ChoreoError, WrongPeer):
            connection.close()
            raise
        except OSError as error:
            connection.close()
            if isinstance(error, TimeoutError) and not isinstance(error, ssl.SSLError):
                raise DeadlineExceeded(f"{peer} did not greet {role} in time") from None
            raise PeerGone(f"{role} and {peer} could not agree on TLS: {error}") from None


def _reach(host: str, port: int, role: str, peer: str, end: float) -> socket.socket:
    while True:
        try:
            return socket.create_connection((host, port), max(end - time.monotonic(), 1e-3))
        except (ConnectionRefusedError, TimeoutError, socket.gaierror) as error:
            # A container's name may be unknown until the container has started.
            if time.monotonic() + _RETRY >= end:
                raise DeadlineExceeded(f"{role} could not reach {peer} at {host}:{port}: {error}") from None
            time.sleep(_RETRY)
        except OSError as error:
            raise PeerGone(f"{role} cannot reach {peer} at {host}:{port}: {error}") from None
