"""The first frame of a connection: who speaks, to whom, about which channel.

A greeting is short and plain: three names with a zero byte between them.  A listener judges a connection by
the header alone (version, session, choreography, length) and by these names; nothing is decoded for it.
"""

from __future__ import annotations

from .errors import ChoreoError, ChoreographyMismatch, FrameError, SessionMismatch, WrongPeer
from .frames import HEADER, MAGIC, VERSION, Frame, Kind, key_of, write_frame
from .link import Link

__all__ = ["MAX_HELLO", "Refusal", "check_hello", "hello_text", "judge_header", "read_hello", "refusal_error"]

MAX_HELLO = 4096
"""Bytes of a greeting."""


class Refusal(ChoreoError):
    """Why a connection is refused; ``word`` is sent to it."""

    def __init__(self, word: str, text: str) -> None:
        super().__init__(text)
        self.word = word


def hello_text(link: Link) -> bytes:
    """The greeting of a link."""
    names = (link.role, link.peer, link.channel)
    text = "\0".join(names).encode()
    if any("\0" in name for name in names) or len(text) > MAX_HELLO:
        raise FrameError("the names of roles and channels have no zero byte and fit into 4 KB together")
    return text


def read_hello(text: bytes) -> tuple[str, str, str]:
    """The names in a greeting: the role that speaks, the one it means, the channel."""
    try:
        role, peer, channel = text.decode().split("\0")
    except ValueError:
        raise Refusal("damaged", "a damaged greeting") from None
    return role, peer, channel


def judge_header(header: bytes, session: str, choreography: str) -> int:
    """The length of the greeting that follows, or a refusal: nothing of it has been read yet."""
    magic, version, kind, count, text, body, of_session, of_choreography, sequence, site = HEADER.unpack(header)
    if magic != MAGIC:
        raise Refusal("", "bytes that begin no frame")
    if version != VERSION:
        raise Refusal("version", f"version {version} of the frames")
    if kind != Kind.HELLO or count or text != body or sequence or site:
        raise Refusal("damaged", "a frame that is not a greeting")
    if body > MAX_HELLO:
        raise Refusal("length", f"a greeting of {body} bytes")
    if of_session != key_of(session):
        raise Refusal("session", "a peer of another session")
    if of_choreography != key_of(choreography):
        raise Refusal("choreography", "a peer of another choreography")
    return int(body)


def refusal_frame(word: str) -> bytes:
    """The frame that refuses a connection.  It does not name the listener's session, which a peer must know beforehand."""
    (frame,) = write_frame(Kind.REFUSED, 0, 0, 0, 0, word.encode())
    return bytes(frame)


def refusal_error(link: Link, frame: Frame) -> ChoreoError:
    """What a peer's refusal means for the role that was refused."""
    word = bytes(frame.text[:100]).decode("utf-8", "replace")
    if word == "session":
        return SessionMismatch(f"{link.peer} belongs to a different session from {link.role}")
    if word == "choreography":
        return ChoreographyMismatch(f"{link.peer} was projected from a different choreography from {link.role}")
    if word == "version":
        return FrameError(f"{link.peer} speaks another version of the frames")
    if word == "role":
        return WrongPeer(f"{link.peer} does not await {link.role} on channel {link.channel!r}")
    if word == "certificate":
        return WrongPeer(f"{link.peer} expects another certificate for {link.role}")
    return FrameError(f"{link.peer} refused the greeting of {link.role}: {word or 'no reason given'}")


def check_hello(link: Link, frame: Frame) -> None:
    """Refuse a peer that is not the one expected (its session was checked in the header)."""
    if len(frame.text) > MAX_HELLO:
        link.fail(FrameError(f"{link.peer} greeted with {len(frame.text)} bytes"))
    try:
        role, peer, channel = read_hello(bytes(frame.text))
    except Refusal as refusal:
        link.fail(FrameError(f"{link.peer} sent {refusal}"))
    if role != link.peer or peer != link.role:
        link.fail(WrongPeer(f"{link.role} expected {link.peer} and met {role!r}"))
    if channel != link.channel:
        link.fail(WrongPeer(f"{link.role} expected channel {link.channel!r} and {link.peer} opened {channel!r}"))
