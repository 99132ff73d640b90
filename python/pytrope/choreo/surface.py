"""The words of a choreography: roles, located values, channels between roles.

A choreography is ordinary Python.  ``pytrope project`` turns it into one program per role;
run as it is, it has its *global meaning*: every value is simply there, ``com`` hands a copy
over, ``select`` gives the label back.  ``surface.pyi`` tells type checkers the same.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from .codec import copy_payload
from .errors import ChoreoError

__all__ = [
    "At",
    "Ch",
    "Ch1",
    "Ch2",
    "Ch3",
    "Ch4",
    "Ch5",
    "Ch6",
    "Ch7",
    "Ch8",
    "Ch9",
    "Ch10",
    "Channel",
    "DiChannel",
    "Family",
    "Mesh",
    "On",
    "Role",
    "Star",
    "direct_channel",
]


class Role:
    """A participant: ``class Client(Role): ...``; ``5 @ Client()`` is the value 5 at Client."""

    __slots__ = ()
    # NumPy would otherwise multiply each element of ``array @ Client()``.
    __array_ufunc__ = None

    def __rmatmul__(self, value: Any, /) -> Any:
        return value


class Family(Role):
    """A role that any number of processes play: ``class Workers(Family): ...``."""

    __slots__ = ()


class _Place:
    """What ``On[R]`` evaluates to."""

    __slots__ = ()
    __array_ufunc__ = None

    def __rmatmul__(self, value: Any, /) -> Any:
        return value


class On:
    """``5 @ On[A]`` is ``5 @ A()`` where ``A`` is a type parameter, which cannot be called."""

    def __class_getitem__(cls, _roles: object) -> _Place:
        return _Place()


class At:
    """``At[T, R]`` is a ``T`` at role ``R``; ``At[T, A | B]`` is one at each of two roles."""

    def __class_getitem__(cls, located: Any) -> Any:
        return located[0] if isinstance(located, tuple) and located else located


class Ch:
    """The base of a choreography, with the roles that play in it: ``class C(Ch[A, B])``."""

    def __class_getitem__(cls, _roles: object) -> type[Ch]:
        # Roles live in the text; at run time ``Mergesort[B, C, A]`` is ``Mergesort``.
        return cls


class Ch1:
    """A choreography of one role; no kin of ``Ch`` so that ``class L(Ch1[A], Enum)`` works."""

    def __class_getitem__(cls, _roles: object) -> type[Ch1]:
        return cls


class Ch2(Ch):
    """A choreography of two roles."""


class Ch3(Ch):
    """A choreography of three roles."""


class Ch4(Ch):
    """A choreography of four roles."""


class Ch5(Ch):
    """A choreography of five roles."""


class Ch6(Ch):
    """A choreography of six roles."""


class Ch7(Ch):
    """A choreography of seven roles."""


class Ch8(Ch):
    """A choreography of eight roles."""


class Ch9(Ch):
    """A choreography of nine roles."""


class Ch10(Ch):
    """A choreography of ten roles."""


class DiChannel:
    """A channel from the first role to the second; here, with its global meaning."""

    def __class_getitem__(cls, _parameters: object) -> type[DiChannel]:
        return cls

    def com(self, value: Any, /) -> Any:
        """Move a value to the other role: a copy, as after a journey over the network."""
        return copy_payload(value)

    def select(self, label: Any, /) -> Any:
        """Tell the other role which branch was taken."""
        if not isinstance(label, Enum):
            raise ChoreoError(f"select takes a member of an enum, not {label!r}")
        return label


class Channel(DiChannel):
    """A channel between two roles, both ways; here, with its global meaning."""


class Star:
    """``Star[T, Server, Workers]``: channels between one role and each member of a family."""

    def __class_getitem__(cls, _parameters: object) -> type[Star]:
        return cls


class Mesh:
    """``Mesh[T, Workers]``: channels between the members of a family."""

    def __class_getitem__(cls, _parameters: object) -> type[Mesh]:
        return cls


def direct_channel() -> Any:
    """A channel with its global meaning, to run a choreography as it is, without projection."""
    return Channel()
