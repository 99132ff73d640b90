"""The networks that a run can use, by name: how a role listens, and how it reaches one that does.

``tcp`` is built in; ``zmq`` and ``grpc`` come with extras of the same names.  Another package adds its own by
`register_network`, or by an entry point of the group ``pytrope.networks`` that gives a `Network`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, metadata
from typing import Any, NamedTuple, Protocol

from .endpoint import Endpoint
from .errors import ChoreoError
from .session import Session

__all__ = ["Meeting", "Network", "find_network", "network_channel", "register_network"]


class Meeting(Protocol):
    """A place where one role awaits others."""

    @property
    def address(self) -> Any:
        """Where the others reach it, in the form that ``Network.connect`` takes."""

    def accept_all(self, awaited: list[tuple[str, str]]) -> Any:
        """The ends to all awaited (peer, channel) pairs, by pair, in whatever order they come."""

    def close(self) -> None:
        """Stop listening; connected ends live on."""


class Network(NamedTuple):
    """How roles meet: ``listen(address, role, session=…, peers=…)``, ``connect(address, role, peer, channel, session=…)``."""

    listen: Callable[..., Meeting]
    connect: Callable[..., Endpoint]


_BUILT_IN = {
    "tcp": [("listener", "Listener"), ("tcp", "connect")],
    "zmq": [("zeromq", "ZmqListener"), ("zeromq", "connect_zmq")],
    "grpc": [("grpc_streams", "GrpcListener"), ("grpc_streams", "connect_grpc")],
}
_networks: dict[str, Network] = {}


def register_network(name: str, network: Network) -> None:
    """Let ``--transport name`` use a network of one's own."""
    _networks[name] = network


def find_network(name: str) -> Network:
    """The network of that name; an error that names the extra where its package is missing."""
    if name in _networks:
        return _networks[name]
    if name in _BUILT_IN:
        parts = [getattr(import_module(f"{__package__}.{module}"), word) for module, word in _BUILT_IN[name]]
        return _networks.setdefault(name, Network(*parts))
    for entry in metadata.entry_points(group="pytrope.networks"):
        if entry.name == name:
            _networks[name] = Network(*entry.load())
            return _networks[name]
    raise ChoreoError(
        f"there is no transport {name!r}; the transports are {', '.join(sorted({*_BUILT_IN, *_networks}))}"
    )


def network_channel(
    name: str, first: str, second: str, *, session: Session, peers: Collection[str] | None = None
) -> tuple[Endpoint, Endpoint]:
    """Both ends of a channel through the loopback interface, for tests and simulations."""
    network = find_network(name)
    listener = network.listen(("127.0.0.1", 0), second, session=session, peers=peers)
    try:
        with ThreadPoolExecutor(1) as pool:
            arriving = pool.submit(listener.accept_all, [(first, "")])
            end = network.connect(listener.address, first, second, session=session)
            return end, arriving.result()[first, ""]
    finally:
        listener.close()
