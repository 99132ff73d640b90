"""One end's memory of a conversation: what to write next and what may be believed.

Transports move bytes; a link says what they mean.  It is shared by the blocking and the
asyncio ends, and does no input or output itself.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NoReturn

from .codec import decode, encode
from .errors import (
    ChoreoError,
    ChoreographyMismatch,
    DecodeError,
    KindMismatch,
    PeerAborted,
    PeerGone,
    SequenceError,
    SessionMismatch,
    SiteMismatch,
    WrongPeer,
)
from .frames import MAX_FRAME, Frame, Kind, key_of, site_key, write_frame

__all__ = ["Link", "check_label"]


def check_label(label: object) -> None:
    """A label is a member of an enum, or the receiver could not match on it."""
    if not isinstance(label, Enum):
        raise KindMismatch(f"select takes a member of an enum, not {label!r}")


class Link:
    """The state of one channel at one of its two roles."""

    __slots__ = (
        "_choreography",
        "_received",
        "_sent",
        "_session",
        "channel",
        "choreography",
        "failure",
        "max_frame",
        "peer",
        "role",
        "session",
    )

    def __init__(
        self,
        role: str,
        peer: str,
        *,
        session: str = "",
        choreography: str = "",
        channel: str = "",
        max_frame: int = MAX_FRAME,
    ) -> None:
        self.role = role
        self.peer = peer
        self.session = session
        self.choreography = choreography
        self.channel = channel
        self.max_frame = max_frame
        self.failure: ChoreoError | None = None
        self._session = key_of(session)
        self._choreography = key_of(choreography)
        self._sent = 0
        self._received = 0

    def write(self, kind: Kind, value: object, site: str | None = None) -> bytes:
        """The next frame to send."""
        if self.failure is not None:
            raise self.failure
        text, buffers = encode(value)
        frame = write_frame(
            kind,
            self._session,
            self._choreography,
            self._sent,
            site_key(site),
            text,
            buffers,
            self.max_frame,
        )
        self._sent += 1
        return frame

    def read(self, frame: Frame, expected: Kind, site: str | None = None) -> Any:
        """The value of a frame, if it is the one that this end is waiting for."""
        if frame.session != self._session:
            self.fail(SessionMismatch(f"{self.peer} sent a frame of another session to {self.role}"))
        if frame.choreography != self._choreography:
            self.fail(ChoreographyMismatch(f"{self.peer} was projected from another choreography than {self.role}"))
        if frame.kind is Kind.ABORT:
            self.fail(self._aborted(frame))
        if frame.sequence != self._received:
            what = "replayed" if frame.sequence < self._received else "lost or reordered"
            self.fail(
                SequenceError(
                    f"{what}: {self.peer} sent frame {frame.sequence} where {self.role} waits for {self._received}"
                )
            )
        self._received += 1
        if frame.kind is Kind.CLOSE:
            self.fail(PeerGone(f"{self.peer} has ended while {self.role} waits for it"))
        if frame.kind is not expected:
            self.fail(
                KindMismatch(
                    f"{self.role} waits for a {expected.name.lower()} and {self.peer} sent a {frame.kind.name.lower()}"
                )
            )
        if frame.site and site is not None and frame.site != site_key(site):
            self.fail(SiteMismatch(f"{self.role} is at {site} and {self.peer} is elsewhere"))
        try:
            value = decode(frame.text, frame.buffers)
        except DecodeError as error:
            self.fail(error)
        if expected is Kind.LABEL and not isinstance(value, Enum):
            self.fail(KindMismatch(f"{self.peer} selected {value!r}, which is no label"))
        return value

    def hello(self) -> bytes:
        """The first frame of a connection: who speaks, to whom, about what."""
        return self.write(
            Kind.HELLO,
            {
                "role": self.role,
                "peer": self.peer,
                "channel": self.channel,
                "session": self.session,
                "choreography": self.choreography,
            },
        )

    def check_hello(self, told: Any) -> None:
        """Refuse a peer that is not the one expected (its session was checked in the header)."""
        if not isinstance(told, dict) or told.get("role") != self.peer or told.get("peer") != self.role:
            name = told.get("role") if isinstance(told, dict) else told
            self.fail(WrongPeer(f"{self.role} expected {self.peer} and met {name!r}"))
        if told.get("channel") != self.channel:
            self.fail(
                WrongPeer(
                    f"{self.role} expected channel {self.channel!r} and {self.peer} opened {told.get('channel')!r}"
                )
            )

    def abort_frame(self, origin: str, reason: str) -> bytes | None:
        """The frame that tells the peer to give up, unless this end is broken already."""
        if self.failure is not None and isinstance(self.failure, (PeerGone, PeerAborted)):
            return None
        self.failure = None
        try:
            return self.write(Kind.ABORT, {"origin": origin, "reason": reason[:1000]})
        finally:
            self.failure = PeerAborted(origin, reason)

    def fail(self, error: ChoreoError) -> NoReturn:
        """Break this end for good: after one wrong frame no later one can be trusted."""
        if self.failure is None:
            self.failure = error
        raise error

    def _aborted(self, frame: Frame) -> ChoreoError:
        try:
            told = decode(frame.text, frame.buffers)
            return PeerAborted(str(told["origin"]), str(told["reason"]))
        except (DecodeError, KeyError, TypeError):
            return PeerAborted(self.peer, "no reason given")
