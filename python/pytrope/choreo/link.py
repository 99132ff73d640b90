"""One end's memory of a conversation: what to write next and what may be believed.

Transports move bytes; a link says what they mean.  It is shared by the blocking and the
asyncio ends, and does no input or output itself.

Invariant: ``sent`` and ``received`` count the values and labels of this end.  They are the sequence
numbers of frames, and what a role that ends tells its peer, so no message is lost, repeated or left
unread without an error at one of the two.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from enum import Enum
from typing import Any, NoReturn

from .codec import Buffer, decode, encode
from .errors import (
    ChoreoError,
    ChoreographyMismatch,
    CountMismatch,
    DecodeError,
    FrameError,
    KindMismatch,
    PeerAborted,
    PeerEnded,
    PeerFailed,
    PeerGone,
    SequenceError,
    SessionMismatch,
    SiteMismatch,
)
from .frames import HEADER, MAGIC, MAX_FRAME, MAX_TEXT, VERSION, Frame, Kind, key_of, site_key, write_frame
from .sites import Site, describe_site

__all__ = ["Link", "check_label"]

_COUNTS = struct.Struct(">QQII")  # of a CLOSE: sent, received, site of the last sent, site of the last received
_pack_header = HEADER.pack
_LABEL = Kind.LABEL
_NAMED = 1 << 31
_REASON = 1000  # characters of an abort's reason that travel


def check_label(label: object) -> None:
    """A label is a member of an enum, or the receiver could not match on it."""
    if not isinstance(label, Enum):
        raise KindMismatch(f"select takes a member of an enum, not {label!r}")


class Link:
    """The state of one channel at one of its two roles."""

    __slots__ = (
        "_choreography",
        "_session",
        "_small",
        "channel",
        "choreography",
        "failure",
        "last_received",
        "last_sent",
        "max_frame",
        "max_text",
        "outcome",
        "peer",
        "peer_counts",
        "received",
        "role",
        "sent",
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
        max_text: int = MAX_TEXT,
    ) -> None:
        self.role = role
        self.peer = peer
        self.session = session
        self.choreography = choreography
        self.channel = channel
        self.max_frame = max_frame
        self.max_text = max_text
        self.failure: ChoreoError | None = None
        # How the peer's attempt ended, if it has said so and this end has not yet asked.
        self.outcome: bool | None = None
        self.sent = 0
        self.received = 0
        self.last_sent: Site = None
        self.last_received: Site = None
        self.peer_counts: tuple[int, int, int, int] | None = None
        self._small = min(max_frame, max_text)
        self._session = key_of(session)
        self._choreography = key_of(choreography)

    def write(self, kind: Kind, value: object, site: Site = None) -> list[Buffer]:
        """The pieces of the next frame to send: a value or a label."""
        if self.failure is not None:
            raise self.failure
        text, buffers = encode(value)
        number = self.sent + 1
        size = len(text)
        key = site if type(site) is int and 0 <= site < _NAMED else site_key(site)
        if not buffers and size <= self._small:
            # What `write_frame` does, without asking it: most messages are small.
            header = _pack_header(MAGIC, VERSION, kind, 0, size, size, self._session, self._choreography, number, key)
            pieces: list[Buffer] = [header + text]
        else:
            pieces = write_frame(
                kind, self._session, self._choreography, number, key, text, buffers, self.max_frame, self.max_text
            )
        # Only now: a value that cannot be sent leaves the channel as it was.
        self.sent = number
        self.last_sent = site
        return pieces

    def write_control(self, kind: Kind, text: bytes = b"", sequence: int = 0) -> list[Buffer]:
        """The pieces of a frame that carries no value."""
        return write_frame(kind, self._session, self._choreography, sequence, 0, text)

    def expect_header(self, kind: Kind, size: int, site: Site) -> bytes:
        """The header of the frame that must come next, if it has ``size`` bytes of text and no buffers.

        Bytes that begin with it need no further check: every field of the header is as it should be.
        """
        key = site if type(site) is int and 0 <= site < _NAMED else site_key(site)
        return _pack_header(
            MAGIC, VERSION, kind, 0, size, size, self._session, self._choreography, self.received + 1, key
        )

    def read_expected(self, text: bytes, kind: Kind, site: Site) -> Any:
        """The value of a frame whose header was `expect_header`."""
        self.received += 1
        if site is not None:
            self.last_received = site
        return self._decode(text, (), kind)

    def read(self, frame: Frame, expected: Kind, site: Site = None) -> Any:
        """The value of a frame, if it is the one that this end is waiting for."""
        kind = frame.kind
        number = self.received + 1
        if (
            kind is not expected
            or frame.sequence != number
            or frame.session != self._session
            or frame.choreography != self._choreography
        ):
            self._refuse(frame, expected, site)
        self.received = number
        if site is not None:
            if frame.site and frame.site != site_key(site):
                self._fail_site(frame, site)
            self.last_received = site
        return self._decode(frame.text, frame.buffers, kind)

    def _decode(self, text: Buffer, buffers: Sequence[Buffer], kind: Kind) -> Any:
        try:
            value = decode(text, buffers)
        except DecodeError as error:
            self.fail(error)
        if kind is _LABEL and not isinstance(value, Enum):
            self.fail(
                KindMismatch(f"{self.peer} selected a value of type {type(value).__name__}, which is not a label")
            )
        return value

    def close_frame(self) -> list[Buffer]:
        """What a role says last: how much it sent and received, and where."""
        counts = (self.sent, self.received, site_key(self.last_sent), site_key(self.last_received))
        return self.write_control(Kind.CLOSE, _COUNTS.pack(*counts), self.sent + 1)

    def read_close(self, frame: Frame) -> None:
        """Check what a peer says last against this end's own counts; any other frame is one message too many."""
        if frame.kind in (Kind.VALUE, Kind.LABEL):
            self.check_origin(frame)
            here = self.last_received or self.last_sent
            self.fail(
                CountMismatch(
                    f"{self.role} has ended, its last communication with {self.peer} at {self._describe(here)}, "
                    f"and {self.peer} sent a {frame.kind.name.lower()} from {self._describe(frame.site)}",
                    here,
                    frame.site,
                )
            )
        if frame.kind is not Kind.CLOSE:
            self._refuse(frame, Kind.CLOSE, None)
        self._take_counts(frame)
        self.check_counts()

    def read_settled(self, frame: Frame) -> None:
        """Hear that the peer, too, has found its counts to agree, with all its peers."""
        if frame.kind is not Kind.SETTLED:
            self._refuse(frame, Kind.SETTLED, None)
        self.check_origin(frame)

    def read_outcome(self, frame: Frame, site: Site) -> bool | None:
        """Whether the peer's attempt has failed; None for a message of the attempt, which is passed over."""
        if frame.kind not in (Kind.VALUE, Kind.LABEL, Kind.OUTCOME) or frame.sequence != self.received + 1:
            self._refuse(frame, Kind.OUTCOME, site)
        self.check_origin(frame)
        if frame.kind is Kind.OUTCOME:
            failed = self.read(frame, Kind.OUTCOME, site)
            if type(failed) is not bool:
                self.fail(KindMismatch(f"{self.peer} ended its attempt with a value of type {type(failed).__name__}"))
            return failed
        self.received += 1
        return None

    def check_counts(self) -> None:
        """Compare the peer's last word, if it came, with what this end sent and received."""
        if self.peer_counts is None:
            return
        sent, received, last_sent, last_received = self.peer_counts
        if received != self.sent:
            self._fail_count(self.role, self.sent, self.last_sent, self.peer, received, last_received)
        if sent != self.received:
            self._fail_count(self.peer, sent, last_sent, self.role, self.received, self.last_received)

    def abort_frame(self, origin: str, reason: str) -> list[Buffer] | None:
        """The frame that tells the peer to give up, unless it is beyond hearing or gave up itself."""
        if isinstance(self.failure, (PeerGone, PeerAborted)) and not isinstance(self.failure, PeerEnded):
            return None
        self.failure = PeerAborted(origin, reason)
        told = f"{origin}\0{reason[:_REASON]}".encode("utf-8", "replace")
        return self.write_control(Kind.ABORT, told)

    def fail(self, error: ChoreoError) -> NoReturn:
        """Break this end for good: after one wrong frame no later one can be trusted."""
        if self.failure is None:
            self.failure = error
        raise error

    def _refuse(self, frame: Frame, expected: Kind, site: Site) -> NoReturn:
        """The error for a frame that is not the one this end waits for."""
        self.check_origin(frame)
        if frame.kind is Kind.ABORT:
            origin, _, reason = bytes(frame.text).decode("utf-8", "replace").partition("\0")
            self.fail(PeerAborted(origin[:_REASON] or self.peer, reason[:_REASON] or "no reason given"))
        if frame.kind in (Kind.HEARTBEAT, Kind.REFUSED, Kind.HELLO, Kind.SETTLED):
            self.fail(
                KindMismatch(f"{self.role} waits for {self.peer}, which sent a {frame.kind.name.lower()} instead")
            )
        if frame.sequence != self.received + 1:
            what = "replayed" if frame.sequence <= self.received else "lost or reordered"
            self.fail(
                SequenceError(
                    f"{what}: {self.peer} sent frame {frame.sequence} where {self.role} waits for {self.received + 1}"
                )
            )
        if frame.kind is Kind.CLOSE:
            self._take_counts(frame)
            assert self.peer_counts is not None
            there = self.peer_counts[3] or self.peer_counts[2]
            self.fail(
                PeerEnded(
                    f"{self.peer} has ended while {self.role} waits for it at {self._describe(site)}; "
                    f"the last communication of {self.peer} with {self.role} was at {self._describe(there)}"
                )
            )
        if frame.kind is Kind.OUTCOME and expected is not Kind.OUTCOME:
            self.received += 1
            if self._decode(frame.text, frame.buffers, frame.kind) is True:
                self.outcome = True
                raise PeerFailed(f"{self.peer} failed in the attempt at {self._describe(frame.site)}")
            self._fail_site(frame, site)
        if frame.site and site is not None and frame.site != site_key(site):
            self._fail_site(frame, site)
        self.fail(
            KindMismatch(
                f"{self.role} waits for a {expected.name.lower()} and {self.peer} sent a {frame.kind.name.lower()}"
            )
        )

    def check_origin(self, frame: Frame) -> None:
        if frame.session != self._session:
            self.fail(SessionMismatch(f"{self.peer} sent a frame of another session to {self.role}"))
        if frame.choreography != self._choreography:
            self.fail(ChoreographyMismatch(f"{self.peer} was projected from a different choreography from {self.role}"))

    def _take_counts(self, frame: Frame) -> None:
        if len(frame.text) != _COUNTS.size:
            self.fail(FrameError(f"{self.peer} ended with a damaged frame"))
        self.peer_counts = _COUNTS.unpack(frame.text)

    def _fail_site(self, frame: Frame, site: Site) -> NoReturn:
        here, there = self._describe(site), self._describe(frame.site)
        self.fail(SiteMismatch(f"{self.role} is at {here} and {self.peer} is at {there}", site, frame.site))

    def _fail_count(self, sender: str, sent: int, here: Site, receiver: str, received: int, there: Site) -> NoReturn:
        self.fail(
            CountMismatch(
                f"{sender} sent {receiver} {sent} messages, the last at {self._describe(here)}, "
                f"and {receiver} ended having received {received}, the last at {self._describe(there)}",
                here,
                there,
            )
        )

    def _describe(self, site: Site) -> str:
        return describe_site(site, self.choreography)
