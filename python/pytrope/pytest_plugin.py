"""What pytest loads: the fixture of choreographies, where Python is new enough for their runtime."""

from __future__ import annotations

import sys

# The wheel installs on 3.9; a plugin that cannot be imported would end every run of pytest there.
if sys.version_info >= (3, 11):  # noqa: UP036
    from pytrope.choreo.pytest_plugin import choreography

    __all__ = ["choreography"]
