"""What all roles of one run agree on: its name, its choreography, limits, deadlines, certificates."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .endpoint import DEADLINE
from .errors import ChoreoError, WrongPeer
from .frames import MAX_FRAME, MAX_TEXT
from .link import Link

__all__ = ["Session", "parse_address"]


@dataclass(frozen=True, kw_only=True)
class Session:
    """What all roles of one run must agree on, and how patient each is.

    ``heartbeat`` makes an end say every so many seconds that its process lives, and its peer's deadline
    count from the last such sign.  ``identities`` gives for a role the name that its certificate must
    bear (its common name or an alternative name, or ``sha256:…`` of the certificate).
    """

    name: str = ""
    choreography: str = ""
    deadline: float = DEADLINE
    max_frame: int = MAX_FRAME
    max_text: int = MAX_TEXT
    heartbeat: float | None = None
    client_tls: ssl.SSLContext | None = None
    server_tls: ssl.SSLContext | None = None
    identities: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.deadline > 0:
            raise ValueError("a deadline must be a positive number of seconds")
        if not 0 < self.max_text < 1 << 32 or not 0 < self.max_frame < 1 << 63:
            raise ValueError("a frame has less than 8 EiB, and its structure less than 4 GiB")
        if self.heartbeat is not None and not self.heartbeat > 0:
            raise ValueError("heartbeats must be a positive number of seconds apart")
        if self.identities and self.client_tls is None and self.server_tls is None:
            raise ValueError("identities are those of certificates, and this session has no TLS")

    def link(self, role: str, peer: str, channel: str) -> Link:
        """The fresh state of one channel of this session."""
        return Link(
            role,
            peer,
            session=self.name,
            choreography=self.choreography,
            channel=channel,
            max_frame=self.max_frame,
            max_text=self.max_text,
        )

    def require_plain(self, transport: str) -> None:
        """Refuse what only TCP keeps, where another transport would silently not."""
        asked = {
            "TLS": self.client_tls or self.server_tls,
            "identities": self.identities,
            "heartbeats": self.heartbeat,
        }
        names = [name for name, value in asked.items() if value]
        if names:
            raise ChoreoError(f"{transport} does not do {' and '.join(names)} for a session; TCP does")

    def check_identity(self, role: str, connection: Any) -> None:
        """Refuse a peer that plays ``role`` with the certificate of another."""
        wanted = self.identities.get(role)
        if wanted is None:
            if self.identities:
                raise WrongPeer(f"no certificate is known for {role}")
            return
        if not isinstance(connection, (ssl.SSLSocket, ssl.SSLObject)):
            raise WrongPeer(f"{role} showed no certificate")
        shown = _names_of(connection)
        if wanted not in shown:
            raise WrongPeer(f"{role} must show the certificate of {wanted!r} and showed: {', '.join(shown)}")


def _names_of(connection: ssl.SSLSocket | ssl.SSLObject) -> list[str]:
    """Every name that a verified certificate may be known by."""
    whole = connection.getpeercert(binary_form=True)
    if not whole:
        return ["no certificate"]
    told: Any = connection.getpeercert() or {}
    names = [value for part in told.get("subject", ()) for key, value in part if key == "commonName"]
    names += [value for kind, value in told.get("subjectAltName", ()) if kind in ("DNS", "URI", "IP Address", "email")]
    return [*names, f"sha256:{hashlib.sha256(whole).hexdigest()}"]


def parse_address(address: str | tuple[str, int]) -> tuple[str, int]:
    """``"host:port"`` or ``"[::1]:port"`` as host and port."""
    if isinstance(address, tuple):
        return address
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"{address!r} is not HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)
