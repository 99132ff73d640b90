"""Sites: the numbers that a projection gives its communications, and what they are called in errors.

Both roles of a communication carry its number, so a role that has diverged is noticed by the first
frame that it sends or reads.  Names are looked up only when an error is made.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

__all__ = ["Site", "describe_site", "site_of"]

Site = int | str | None
"""A number of a projection, or a name given by hand."""

_NAMED = 1 << 31


def site_of(frame: FrameType) -> str | None:
    """Where a projection without numbers is: the method of the choreography that it runs.

    A communication stands in the same method at both of its roles, so the two must agree.
    Other programs may be arranged as they like, and name sites themselves if they want them compared.
    """
    return frame.f_code.co_name if "CHOREOGRAPHY" in frame.f_globals else None


def describe_site(site: Site, choreography: str = "") -> str:
    """A site for people: its number and, where the projection is at hand, the place in the source."""
    if site is None or site == 0:
        return "a place without a number"
    if isinstance(site, str):
        return site
    if site >= _NAMED:
        return "another named site"
    name = _name_of(site, choreography)
    return f"site {site} ({name})" if name else f"site {site}"


def _name_of(site: int, choreography: str) -> str | None:
    frame: Any = sys._getframe(2)
    while frame is not None:
        name = _look_up(frame.f_globals.get("SITES"), site)
        if name is not None:
            return name
        frame = frame.f_back
    # No program is on the stack when a role has ended; its module still is.
    tables = [
        vars(module).get("SITES")
        for module in list(sys.modules.values())
        if isinstance(getattr(module, "__dict__", None), dict) and "CHOREOGRAPHY" in vars(module)
        if not choreography or vars(module)["CHOREOGRAPHY"] == choreography
    ]
    names = {name for table in tables if (name := _look_up(table, site)) is not None}
    return names.pop() if len(names) == 1 else None


def _look_up(table: object, site: int) -> str | None:
    name = table.get(site) if isinstance(table, dict) else None
    return name if isinstance(name, str) else None
