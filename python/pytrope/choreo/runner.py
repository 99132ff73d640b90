"""Runs a choreography from its source: project, import each role's program, connect, play."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import inspect
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from .aio import AsyncEndpoint
from .aio_simulation import async_channel, meet_async, play_async, run_roles_async
from .cast import Cast
from .endpoint import DEADLINE, Endpoint
from .errors import ChoreoError
from .faults import Crash, Fault, crash_at, harm_frames
from .local import local_channel
from .memory import memory_channel
from .mpi import open_mpi_ends
from .networks import Network, find_network, network_channel
from .outline import Choreography, Parameter, find_choreography, read_outline
from .session import Session
from .simulation import play, run_roles
from .values import read_value

__all__ = ["NotProjected", "Run", "find_target", "project", "projected"]

Arguments = Mapping[str, Mapping[str, str]]


class NotProjected(ChoreoError):
    """`pytrope project` refused the choreography, or cannot be found."""


def find_binary() -> str:
    """The `pytrope` program: `PYTROPE_BIN`, else the one on PATH, else the one beside Python."""
    named = os.environ.get("PYTROPE_BIN")
    if named:
        return named
    found = shutil.which("pytrope") or shutil.which("pytrope", path=str(Path(sys.executable).parent))
    if found is None:
        raise NotProjected("there is no `pytrope` on PATH; set PYTROPE_BIN to it")
    return found


def project(source: Path, folder: Path, *, asynchronous: bool = False) -> None:
    """Write one module per role of ``source`` into ``folder``; with ``await`` at communications if asked for."""
    try:
        done = subprocess.run(
            [find_binary(), "project", str(source), "-o", str(folder), *(["--async"] if asynchronous else [])],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise NotProjected(f"cannot run pytrope: {error}") from None
    if done.returncode != 0:
        raise NotProjected((done.stderr or done.stdout).strip() or f"pytrope exited with {done.returncode}")


@contextmanager
def projected(source: Path, folder: Path | None = None, *, asynchronous: bool = False) -> Iterator[Path]:
    """A folder with the modules of ``source``: ``folder`` if it was projected before, else fresh."""
    if folder is not None:
        yield folder
        return
    with TemporaryDirectory(prefix="pytrope-") as fresh:
        project(source, Path(fresh), asynchronous=asynchronous)
        yield Path(fresh)


def find_target(source: Path) -> str:
    """The only public method of the only choreography of a file, or its only function over roles; else an error that lists them."""
    outline = read_outline(source).values()
    # Beside a class, functions are its parts.
    targets = [target for found in outline if not found.is_function for target in found.targets]
    targets = targets or [target for found in outline for target in found.targets]
    if len(targets) != 1:
        raise ChoreoError(f"which method of {source.name}? Name one of: {', '.join(targets) or 'none'}")
    return targets[0]


class Run:
    """One method of one choreography, or a function over roles, ready to be played by its roles."""

    def __init__(
        self, source: Path, target: str | None, folder: Path, *, families: Mapping[str, int] | None = None
    ) -> None:
        self.target = target = target or find_target(source)
        class_name, _, self._method = target.partition(".")
        self.source = source
        self.folder = folder
        self.choreography: Choreography = find_choreography(read_outline(source), class_name)
        if self.choreography.is_function and not self._method:
            self._method = "__call__"
        if not self._method:
            raise ChoreoError(f"{target!r} is not Class.method")
        if self._method not in self.choreography.methods:
            known = ", ".join(name for name in self.choreography.methods if not name.startswith("_"))
            raise ChoreoError(f"{class_name} has no method {self._method}; it has: {known or 'none'}")
        self._modules: dict[str, ModuleType] = {}
        self._parameters: list[Parameter] = [
            *self.choreography.methods.get("__init__", []),
            *self.choreography.methods[self._method],
        ]
        self.cast = Cast(self.choreography, self._parameters, families or {})
        self.roles = self.cast.roles

    @property
    def channels(self) -> list[Parameter]:
        """The channels that the constructor and the method take."""
        return [parameter for parameter in self._parameters if parameter.is_channel]

    def digest(self, role: str) -> str:
        """What must be equal at all roles: the text that was projected.

        The projection itself says so; one that does not is taken to come from the source as it is.
        """
        told = getattr(self._module(role), "CHOREOGRAPHY", None)
        return told if isinstance(told, str) else hashlib.sha256(self.source.read_bytes()).hexdigest()

    def check_arguments(self, arguments: Arguments) -> None:
        """Refuse unknown roles and parameters, and name what is missing."""
        values = {parameter.name: parameter for parameter in self._parameters if not parameter.is_channel}
        if self.cast.missing:
            raise ChoreoError(f"how many members? {' '.join(f'--family {name}=…' for name in self.cast.missing)}")
        for role, given in arguments.items():
            if role not in self.roles and role not in self.choreography.roles:
                raise ChoreoError(
                    f"{role} is not a role of {self.choreography.name}; the roles are {', '.join(self.roles)}"
                )
            for name in given:
                if name not in values:
                    raise ChoreoError(
                        f"there is no parameter {name}; the parameters are: {', '.join(values) or 'none'}"
                    )
                if values[name].roles and self.cast.role_in_text(role) not in values[name].roles:
                    raise ChoreoError(f"{name} lives at {', '.join(values[name].roles)}, not at {role}")

    def simulate(
        self,
        arguments: Arguments,
        *,
        tcp: bool = False,
        deadline: float = DEADLINE,
        transport: str = "local",
        objects: Mapping[str, Mapping[str, Any]] | None = None,
        faults: Sequence[Fault | Crash] = (),
        watch: Callable[[Endpoint, str], Endpoint] | None = None,
    ) -> dict[str, Any]:
        """All roles in this process; each role's result.

        ``transport`` is ``local``, ``memory`` (frames, to which ``faults`` may happen) or the name of a network;
        ``arguments`` are texts, ``objects`` are values as they are.
        """
        self.check_arguments(arguments)
        session = Session(name="simulation", choreography=self.digest(self.roles[0]), deadline=deadline)
        ends: dict[str, dict[tuple[str, str], Endpoint]] = {role: {} for role in self.roles}
        harm = harm_frames(faults)
        crashes = {role: crash_at(role, faults) for role in self.roles}
        for first, second, name in self.cast.connections:
            pair = self._channel("tcp" if tcp else transport, first, second, name, session, harm)
            for role, peer, end in zip((first, second), (second, first), pair, strict=True):
                end = crashes[role](end, name)
                ends[role][peer, name] = watch(end, name) if watch else end
        given = {role: self.cast.assemble(role, ends[role]) for role in self.roles}
        values = objects or {}
        programs = {
            role: self._program(role, given[role], self._given_to(role, arguments), self._given_to(role, values))
            for role in self.roles
        }
        return run_roles(programs, [end for own in given.values() for end in own.values()])

    def _given_to(self, role: str, arguments: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """What a role is given: what its whole family is, and what it alone is."""
        return {**arguments.get(self.cast.role_in_text(role), {}), **arguments.get(role, {})}

    def simulate_async(self, arguments: Arguments, *, deadline: float = DEADLINE) -> dict[str, Any]:
        """All roles of an asyncio projection as tasks of one event loop; each role's result."""
        self._refuse_families()
        self.check_arguments(arguments)
        session = Session(name="simulation", choreography=self.digest(self.roles[0]), deadline=deadline)

        async def run() -> dict[str, Any]:
            ends: dict[str, dict[str, AsyncEndpoint]] = {role: {} for role in self.roles}
            for first, second, name in self.cast.connections:
                pair = await async_channel(first, second, name, session=session)
                ends[first][name], ends[second][name] = pair
            programs = {role: self._task(role, ends[role], arguments.get(role, {})) for role in self.roles}
            return await run_roles_async(programs, [end for own in ends.values() for end in own.values()])

        return asyncio.run(run())

    def perform_async(
        self, role: str, arguments: Arguments, session: Session, listen: str | None, addresses: Mapping[str, str]
    ) -> Any:
        """One role of an asyncio projection in this process, the others elsewhere; this role's result."""
        self._refuse_families()
        self._check_role(role, arguments, addresses)
        session = replace(session, choreography=self.digest(role))

        async def run() -> Any:
            ends = await meet_async(role, self.cast.connections_of(role), listen, addresses, session)
            return await play_async(role, self._task(role, ends, arguments.get(role, {})), ends.values())

        return asyncio.run(run())

    def _refuse_families(self) -> None:
        if any(parameter.joins in ("star", "mesh") for parameter in self.channels):
            raise ChoreoError("stars and meshes have no ends for asyncio")

    def _task(self, role: str, ends: Mapping[str, Any], given: Mapping[str, str]) -> Callable[[], Awaitable[Any]]:
        program = self._program(role, ends, given)

        async def task() -> Any:
            result = program()
            return await result if inspect.isawaitable(result) else result

        return task

    def _channel(
        self, transport: str, first: str, second: str, name: str, session: Session, harm: Any
    ) -> tuple[Endpoint, Endpoint]:
        if transport == "local":
            return local_channel(first, second, deadline=session.deadline, choreography=session.choreography)
        if transport == "memory":
            return memory_channel(first, second, name, session=session, harm=harm)
        return network_channel(transport, first, second, session=session)

    def perform(
        self,
        role: str,
        arguments: Arguments,
        session: Session,
        listen: str | None,
        addresses: Mapping[str, str],
        *,
        transport: str = "tcp",
        watch: Callable[[Endpoint, str], Endpoint] | None = None,
    ) -> Any:
        """One role in this process, the others elsewhere; this role's result."""
        self._check_role(role, arguments, addresses)
        session = replace(session, choreography=self.digest(role))
        if transport == "mpi":
            ends: dict[tuple[str, str], Endpoint] = self._meet_by_rank(role, session)
        else:
            ends = self._meet(role, session, listen, addresses, find_network(transport))
        if watch is not None:
            ends = {pair: watch(end, pair[1]) for pair, end in ends.items()}
        given = self.cast.assemble(role, ends)
        program = self._program(role, given, self._given_to(role, arguments))
        return play(role, program, given.values())

    def _check_role(self, role: str, arguments: Arguments, addresses: Mapping[str, str]) -> None:
        if role not in self.roles:
            raise ChoreoError(
                f"{role} is not a role of {self.choreography.name}; the roles are {', '.join(self.roles)}"
            )
        self.check_arguments(arguments)
        for peer in addresses:
            if peer not in self.roles or peer == role:
                raise ChoreoError(f"{role} cannot connect to {peer}; its peers: {', '.join(self._peers(role))}")

    def peers_to_reach(self, role: str, addresses: Mapping[str, str]) -> dict[str, str]:
        """Whom a role connects to where every role has an address: those before it in the class's list of roles.

        All roles have the same table, so of each two exactly one connects and the other awaits it.
        """
        order = list(self.roles)
        if role not in order:
            raise ChoreoError(
                f"{role} is not a role of {self.choreography.name}; the roles are {', '.join(self.roles)}"
            )
        for name in addresses:
            if name not in order:
                raise ChoreoError(
                    f"{name} is not a role of {self.choreography.name}; the roles are {', '.join(self.roles)}"
                )
        reached = {
            peer: addresses[peer]
            for peer in self._peers(role)
            if peer in addresses and order.index(peer) < order.index(role)
        }
        awaited = [peer for peer in self._peers(role) if peer in addresses and peer not in reached]
        if awaited and role not in addresses:
            raise ChoreoError(
                f"{', '.join(awaited)} will connect to {role}, whose address is not among those of --peers: "
                f"add {role}=HOST:PORT, at all roles alike"
            )
        return reached

    def _meet_by_rank(self, role: str, session: Session) -> dict[tuple[str, str], Endpoint]:
        ranks = {name: rank for rank, name in enumerate(self.roles)}
        return dict(open_mpi_ends(role, self.cast.connections, ranks, session))

    def _peers(self, role: str) -> list[str]:
        return list(dict.fromkeys(peer for peer, _ in self.cast.connections_of(role)))

    def _meet(
        self, role: str, session: Session, listen: str | None, addresses: Mapping[str, str], network: Network
    ) -> dict[tuple[str, str], Endpoint]:
        """Connect to the peers with an address and await the others, at the same time."""
        wanted = self.cast.connections_of(role)
        awaited = [pair for pair in wanted if pair[0] not in addresses]
        if awaited and listen is None:
            peers = ", ".join(dict.fromkeys(peer for peer, _ in awaited))
            raise ChoreoError(
                f"{role} has no address of {peers} and does not listen: use --connect ROLE=HOST:PORT or --listen HOST:PORT"
            )
        ends: dict[tuple[str, str], Endpoint] = {}
        peers_awaited = {peer for peer, _ in awaited}
        listener = network.listen(listen, role, session=session, peers=peers_awaited) if awaited and listen else None
        try:
            with ThreadPoolExecutor(1) as pool:
                # Roles that await each other in a circle must greet while they are greeted.
                arriving = pool.submit(listener.accept_all, awaited) if listener else None
                try:
                    for peer, name in wanted:
                        if peer in addresses:
                            ends[peer, name] = network.connect(addresses[peer], role, peer, name, session=session)
                except BaseException:
                    if listener is not None:
                        listener.close()
                    raise
                if arriving is not None:
                    ends |= arriving.result()
        except BaseException as error:
            for end in ends.values():
                end.abort(f"{type(error).__name__}: {error}")
            raise
        finally:
            if listener is not None:
                listener.close()
        return ends

    def _module(self, role: str) -> ModuleType:
        name = self.cast.role_in_text(role)
        if name not in self._modules:
            self._modules[name] = _load(self.folder / f"{self.source.stem}_{name.lower()}.py")
        return self._modules[name]

    def _program(
        self,
        role: str,
        ends: Mapping[str, Any],
        given: Mapping[str, str],
        objects: Mapping[str, Any] | None = None,
    ) -> Callable[[], Any]:
        module = self._module(role)
        text = self.cast.role_in_text(role)
        made = getattr(module, f"{self.choreography.name}_{text}", None)
        if made is None:
            return lambda: None  # the class concerns other roles only
        values: dict[str, Any] = {**ends, **(objects or {})}
        for name, text in given.items():
            try:
                values[name] = read_value(text, vars(module))
            except ValueError as error:
                raise ChoreoError(f"{name} at {role}: {error}") from None
        absent = [
            parameter for parameter in self._parameters if parameter.name not in values and not parameter.has_default
        ]
        shared = [parameter.name for parameter in absent if not parameter.roles]
        if shared:
            raise ChoreoError(f"every role needs a value: --shared {' '.join(f'{name}=…' for name in shared)}")
        missing = [parameter.name for parameter in absent if text in parameter.roles]
        if missing:
            wanted = " ".join(f"{name}=…" for name in missing)
            raise ChoreoError(f"{role} needs a value: --at {role} {wanted}")

        def program() -> Any:
            if self.choreography.is_function:
                return _call(made, values)
            instance = _call(made, values)
            method = getattr(instance, self._method, None)
            return None if method is None else _call(method, values)

        return program


def _call(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Call with those of the values that have a parameter of their name."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in values and parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(values[name])
        elif name in values:
            named[name] = values[name]
    return function(*positional, **named)


def _load(path: Path) -> ModuleType:
    # Projected modules import each other, and the helpers that stand beside the source, by name.
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise NotProjected(f"{path.name} was not projected")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
