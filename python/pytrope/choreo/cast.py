"""Who takes part in a run: the roles of a choreography, with the members of its families one by one.

A family is one role in the text and any number of roles in a run: ``Workers`` with three members is played by
``Workers[0]``, ``Workers[1]`` and ``Workers[2]``.  A star or a mesh is a channel to each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import combinations
from typing import Any, NamedTuple

from .errors import ChoreoError
from .outline import Choreography, Parameter

__all__ = ["Cast", "Connection"]


class Connection(NamedTuple):
    """A channel between two roles of a run, under the name of the parameter that it belongs to."""

    first: str
    second: str
    name: str


class Cast:
    """The roles of one run and how they are connected."""

    def __init__(self, choreography: Choreography, parameters: list[Parameter], counts: Mapping[str, int]) -> None:
        self._parameters = [parameter for parameter in parameters if parameter.joins]
        families = {parameter.roles[-1] for parameter in self._parameters if parameter.joins in ("star", "mesh")}
        for name, count in counts.items():
            if name not in families:
                raise ChoreoError(
                    f"{name} is not a family of {choreography.name}: {', '.join(sorted(families)) or 'it has none'}"
                )
            if count < 1:
                raise ChoreoError(f"{name} needs at least one member, not {count}")
        self._counts = counts
        self.missing = [name for name in choreography.roles if name in families and name not in counts]
        self.roles: tuple[str, ...] = tuple(role for name in choreography.roles for role in self.members_of(name))

    def members_of(self, name: str) -> list[str]:
        """The roles of a run that play a role of the text."""
        if name not in self._counts:
            return [name]
        return [f"{name}[{rank}]" for rank in range(self._counts[name])]

    @staticmethod
    def role_in_text(role: str) -> str:
        """``Workers`` for ``Workers[1]``."""
        return role.partition("[")[0]

    @property
    def connections(self) -> list[Connection]:
        """Every channel of the run."""
        made: list[Connection] = []
        for parameter in self._parameters:
            if parameter.joins == "mesh":
                members = self.members_of(parameter.roles[-1])
                made += [Connection(low, high, parameter.name) for low, high in combinations(members, 2)]
            else:
                first, second = parameter.roles
                made += [Connection(first, member, parameter.name) for member in self.members_of(second)]
        return made

    def connections_of(self, role: str) -> list[tuple[str, str]]:
        """The peer and the name of each channel of a role."""
        own = [connection for connection in self.connections if role in connection[:2]]
        return [(one.second if one.first == role else one.first, one.name) for one in own]

    def assemble(self, role: str, ends: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
        """What a role's program is given for its channels: an end, or all ends of a star or a mesh."""
        given: dict[str, Any] = {}
        text = self.role_in_text(role)
        for parameter in self._parameters:
            if text not in parameter.roles:
                continue
            if parameter.joins == "channel":
                given[parameter.name] = next(end for (_, channel), end in ends.items() if channel == parameter.name)
            else:
                given[parameter.name] = self._join_family(role, parameter, ends)
        return given

    def _join_family(self, role: str, parameter: Parameter, ends: Mapping[tuple[str, str], Any]) -> Any:
        census: Any = import_module(f"{__package__}.census")
        name = parameter.name
        members = self.members_of(parameter.roles[-1])
        if parameter.joins == "mesh":
            ranks = {rank: ends[member, name] for rank, member in enumerate(members) if member != role}
            return census.MeshMember(ranks, members.index(role), role)
        if role in members:
            return census.StarMember(ends[parameter.roles[0], name], members.index(role), len(members))
        return census.StarCentre([ends[member, name] for member in members])
