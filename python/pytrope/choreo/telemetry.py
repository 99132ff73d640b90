"""OpenTelemetry: one span for each message at each of its roles; ``pip install 'pytrope[otel]'``.

The two spans of a message have the same session, channel, sender and number, by which a backend joins them;
the site is the place in the choreography.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from .endpoint import Endpoint
from .errors import MissingExtra
from .observed import ObservedEndpoint
from .sites import Site, describe_site

__all__ = ["trace_endpoint"]


def _load_trace() -> Any:
    try:
        return importlib.import_module("opentelemetry.trace")
    except ImportError:
        raise MissingExtra("OpenTelemetry", "otel") from None


def trace_endpoint(end: Endpoint, channel: str = "", *, session: str = "", tracer: Any = None) -> ObservedEndpoint:
    """The same end, with a span around each of its communications."""
    trace = _load_trace()
    tracer = tracer or trace.get_tracer("pytrope.choreo")
    counts = {True: 0, False: 0}

    @contextmanager
    def span(kind: str, end: ObservedEndpoint, site: Site) -> Iterator[None]:
        sends = kind in ("send", "select")
        counts[sends] += 1
        with tracer.start_as_current_span(
            f"{kind} {end.role} → {end.peer}" if sends else f"{kind} {end.role} ← {end.peer}",
            kind=trace.SpanKind.PRODUCER if sends else trace.SpanKind.CONSUMER,
            attributes={
                "messaging.system": "pytrope",
                "messaging.operation.name": kind,
                "pytrope.session": session,
                "pytrope.channel": channel,
                "pytrope.sender": end.role if sends else end.peer,
                "pytrope.receiver": end.peer if sends else end.role,
                "pytrope.number": counts[sends],
                "pytrope.site": describe_site(site),
            },
        ):
            yield

    def around(kind: str, end: ObservedEndpoint, site: Site, _value: Any) -> AbstractContextManager[Any]:
        return span(kind, end, site)

    return ObservedEndpoint(end, channel, around)
