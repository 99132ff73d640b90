"""A pytest plugin: the fixture ``choreography`` runs one in process, with faults injected where a test asks.

    def test_a_lost_price_is_noticed(choreography):
        run = choreography("bookseller.py", "Bookseller.buy", at={"Buyer": {"title": "Emma"}}, faults=[Drop("Seller", "Buyer")])
        assert "Buyer" in run.failures

The fixture is there wherever ``pytrope`` is installed; ``-p pytrope.choreo.pytest_plugin`` loads it by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from .diagram import draw_sequence
from .errors import RoleFailed
from .faults import Crash, Fault
from .observed import Event, Recorder
from .runner import Run, projected

__all__ = ["Outcome", "choreography"]


@dataclass
class Outcome:
    """What came of a run: results of the roles that ended well, failures of the others, and what was said."""

    results: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, BaseException] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    roles: tuple[str, ...] = ()

    @property
    def diagram(self) -> str:
        """A Mermaid sequence diagram of the run."""
        return draw_sequence(self.events, self.roles)


@pytest.fixture
def choreography(request: pytest.FixtureRequest) -> Iterator[Callable[..., Outcome]]:
    """Runs ``Class.method`` of a file beside the test: ``choreography(file, target, at=…, shared=…, faults=…)``."""
    with ExitStack() as stack:

        def run(
            file: str | Path,
            target: str,
            *,
            at: Mapping[str, Mapping[str, Any]] | None = None,
            shared: Mapping[str, Any] | None = None,
            faults: Iterable[Fault | Crash] = (),
            deadline: float = 5.0,
        ) -> Outcome:
            source = Path(request.path).parent / file
            folder = stack.enter_context(projected(source))
            play = Run(source, target, folder)
            recorder = Recorder()
            objects = {role: {**(shared or {}), **(at or {}).get(role, {})} for role in play.roles}
            outcome = Outcome(roles=tuple(play.roles))
            try:
                outcome.results = play.simulate(
                    {},
                    objects=objects,
                    transport="memory",
                    faults=list(faults),
                    deadline=deadline,
                    watch=recorder.watch,
                )
            except RoleFailed as failed:
                outcome.failures = dict(failed.failures)
            outcome.events = recorder.events
            return outcome

        yield run
