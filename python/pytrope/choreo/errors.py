"""Everything that can go wrong between two roles, each with a class of its own."""

from __future__ import annotations

__all__ = [
    "ChoreoError",
    "ChoreographyMismatch",
    "CountMismatch",
    "DeadlineExceeded",
    "DecodeError",
    "ElsewhereError",
    "EncodeError",
    "FrameError",
    "FrameTooLarge",
    "KindMismatch",
    "MissingExtra",
    "PeerAborted",
    "PeerEnded",
    "PeerFailed",
    "PeerGone",
    "ProtocolError",
    "RoleFailed",
    "SequenceError",
    "SessionMismatch",
    "SiteMismatch",
    "UnexpectedLabel",
    "WrongPeer",
]


class ChoreoError(Exception):
    """The base of every error of this package."""


class DeadlineExceeded(ChoreoError, TimeoutError):
    """The peer did not answer, read or connect in time."""


class PeerGone(ChoreoError, ConnectionError):
    """The peer closed its end, or died, while this end still needed it."""


class PeerEnded(PeerGone):
    """The peer's program ended while this end still waits for it: the two roles have diverged."""


class PeerAborted(ChoreoError):
    """A role gave up and said so; ``origin`` is where it began, ``reason`` what happened there."""

    def __init__(self, origin: str, reason: str) -> None:
        super().__init__(f"{origin} aborted: {reason}")
        self.origin = origin
        self.reason = reason


class PeerFailed(ChoreoError):
    """A role failed inside a ``try`` from which all of its roles recover; the channel goes on."""


class ProtocolError(ChoreoError):
    """The peer does not follow the same choreography, session or framing."""


class FrameError(ProtocolError):
    """Bytes that are no frame: garbage, a truncated frame, an unknown version."""


class FrameTooLarge(FrameError):
    """A frame larger than both ends agreed to accept."""


class SequenceError(ProtocolError):
    """A frame that was replayed, lost or reordered."""


class SessionMismatch(ProtocolError):
    """A frame that belongs to another session."""


class ChoreographyMismatch(ProtocolError):
    """The peer was projected from another text of the choreography."""


class WrongPeer(ProtocolError):
    """The process at the other end plays an unexpected role."""


class KindMismatch(ProtocolError):
    """A value came where a label was awaited, or the other way round."""


class SiteMismatch(ProtocolError):
    """The two ends are at different places of the choreography: ``here`` and ``there``."""

    def __init__(self, text: str, here: int | str | None = None, there: int | str | None = None) -> None:
        super().__init__(text)
        self.here = here
        self.there = there


class CountMismatch(SiteMismatch):
    """A role ended and its peer has sent it more, or less, than it received; the sites are the last of each."""


class MissingExtra(ChoreoError, ImportError):
    """A transport or tool that needs a package which is not installed; the text names the extra."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs a package that is not installed: pip install 'pytrope[{extra}]'")
        self.extra = extra


class EncodeError(ChoreoError, TypeError):
    """A value that cannot travel."""


class DecodeError(ChoreoError, ValueError):
    """A payload that cannot be turned into a value here."""


class UnexpectedLabel(ChoreoError):
    """A label for which the receiving program has no branch."""

    def __init__(self, label: object, where: str | None = None) -> None:
        super().__init__(f"no branch for {label}" + (f" in {where}" if where else ""))
        self.label = label


class ElsewhereError(ChoreoError):
    """Code used the placeholder of a value that lives at another role."""


class RoleFailed(ChoreoError):
    """One or more roles of a run failed; ``failures`` maps each to its exception."""

    def __init__(self, failures: dict[str, BaseException]) -> None:
        told = "; ".join(f"{role}: {type(e).__name__}: {e}" for role, e in failures.items())
        super().__init__(told)
        self.failures = failures
