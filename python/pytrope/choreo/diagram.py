"""Sequence diagrams of real runs, from the events that `Recorder` keeps; Mermaid, as `pytrope project --diagram` draws."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from .errors import ChoreoError
from .observed import Event
from .sites import describe_site

__all__ = ["draw_sequence", "read_events", "write_events"]


def write_events(events: Iterable[Event], path: Path) -> None:
    """One JSON object per line, so that each role of a run can write its own file."""
    with path.open("w", encoding="utf-8") as file:
        for event in events:
            named = dataclasses.asdict(event) | {"place": describe_site(event.site)}
            print(json.dumps(named, ensure_ascii=False), file=file)


def read_events(paths: Iterable[Path]) -> tuple[list[Event], dict[int | str, str]]:
    """The events of all files, and what their sites are called."""
    events: list[Event] = []
    places: dict[int | str, str] = {}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                told = json.loads(line)
                place = told.pop("place", "")
                event = Event(**told)
            except (ValueError, TypeError) as error:
                raise ChoreoError(f"{path}:{number}: no event: {error}") from None
            events.append(event)
            if event.site is not None:
                places[event.site] = place
    return events, places


def draw_sequence(events: Sequence[Event], roles: Sequence[str] = ()) -> str:
    """A diagram of what was sent, in an order that keeps each role's own and sends before receives.

    A message that was never received ends in a cross.
    """
    known = [*roles, *dict.fromkeys(role for event in events for role in (event.role, event.peer) if role not in roles)]
    # Mermaid takes brackets for its own, so members of a family get a plain name and an alias.
    plain = {role: re.sub(r"\W+", "_", role).strip("_") for role in known}
    lines = ["sequenceDiagram"]
    for role in known:
        lines.append(f"    participant {role}" if plain[role] == role else f"    participant {plain[role]} as {role}")
    received = {_message(event): event for event in events if event.kind in ("recv", "offer")}
    for event in _in_causal_order(events):
        if event.kind in ("send", "select"):
            arrow = "->>" if event.kind == "send" else "-->>"
            if _message(event) not in received:
                arrow = "-x" if event.kind == "send" else "--x"
            site = f" [{event.site}]" if event.site is not None else ""
            lines.append(f"    {plain[event.role]}{arrow}{plain[event.peer]}: {_escape(event.shown)}{site}")
    return "\n".join(lines) + "\n"


def _message(event: Event) -> tuple[str, str, str, int]:
    sends = event.kind in ("send", "select")
    sender, receiver = (event.role, event.peer) if sends else (event.peer, event.role)
    return sender, receiver, event.channel, event.number


def _in_causal_order(events: Sequence[Event]) -> list[Event]:
    """Each role's events in its order, a receive after its send, else by the clocks, which need not agree."""
    queues: dict[str, list[Event]] = {}
    for event in events:
        queues.setdefault(event.role, []).append(event)
    sends = {_message(event) for event in events if event.kind in ("send", "select")}
    sent: set[tuple[str, str, str, int]] = set()
    ordered: list[Event] = []
    while any(queues.values()):
        heads = [queue[0] for queue in queues.values() if queue]
        ready = [
            event
            for event in heads
            if event.kind in ("send", "select") or _message(event) in sent or _message(event) not in sends
        ]
        event = min(ready or heads, key=lambda one: one.time)
        queues[event.role].pop(0)
        if event.kind in ("send", "select"):
            sent.add(_message(event))
        ordered.append(event)
    return ordered


_ESCAPED = str.maketrans({"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", "\n": " "})


def _escape(text: str) -> str:
    """Mermaid takes some characters for its own."""
    return text.translate(_ESCAPED)
