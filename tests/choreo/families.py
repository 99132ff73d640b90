"""Choreographies over families: projected once, run with several numbers of members, compared with sequential programs.

    python tests/choreo/families.py [--all] [NAME …]

Every example of examples/choreo/families runs with one to four members, each in a thread of its own, and with three members in
processes of their own over TCP.  So does, with `--all`, every program of tests/choreo/census, which are ports from other
choreographic languages, and all of them also in threads over TCP and ZeroMQ; without it each port runs with three members in threads.  A port says `# census: Class.method Middle
Family [mesh]` (`-` for no middle) and has functions `given` and `expected`, its sequential meaning.  The last line is
`N passed, N failed`.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import pickle
import random
import re
import sys
import tempfile
import types
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples" / "choreo" / "families"
PORTS = HERE / "census"
sys.path.insert(0, str(HERE.parent.parent / "python"))

from pytrope.choreo import (
    Listener,
    MeshMember,
    Session,
    StarCentre,
    StarMember,
    connect,
    local_channel,
    mesh_channel,
    play,
    run_roles,
    star_channel,
)
from pytrope.choreo.networks import network_channel
from pytrope.choreo.runner import project

DEADLINE = 60.0


def load(path: Path, name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Case:
    """One example: who takes part, what they are given, and what they must get."""

    def __init__(
        self,
        name: str,
        target: str,
        middle: str | None,
        family: str,
        mesh: bool,
        given: Callable[[random.Random, int], tuple[dict[str, Any], list[dict[str, Any]]]],
        expected: Callable[[types.ModuleType, dict[str, Any], list[dict[str, Any]]], tuple[Any, list[Any]]],
        source: Path = EXAMPLES,
    ) -> None:
        self.path = source / f"{name}.py"
        self.name, self.target, self.middle, self.family, self.mesh = name, target, middle, family, mesh
        self.given, self.expected = given, expected

    def program(self, folder: Path, role: str, ends: dict[str, Any], arguments: dict[str, Any]) -> Any:
        module = load(folder / f"{self.name}_{role.lower()}.py", f"{self.name}_{role.lower()}")
        class_name, _, method = self.target.partition(".")
        return getattr(getattr(module, f"{class_name}_{role}")(**ends), method)(**arguments)

    def in_threads(
        self, folder: Path, count: int, ours: dict[str, Any], theirs: list[dict[str, Any]], network: str = ""
    ) -> Any:
        channel = partial(local_channel, deadline=DEADLINE)
        if network:
            channel = partial(network_channel, network, session=Session(name=self.name, deadline=DEADLINE))
        ends: dict[str, dict[str, Any]] = {f"{self.family}[{rank}]": {} for rank in range(count)}
        if self.middle is not None:
            centre, members = star_channel(self.middle, self.family, count, channel=channel)
            ends[self.middle] = {"star": centre}
            for rank, member in enumerate(members):
                ends[f"{self.family}[{rank}]"]["star"] = member
        if self.mesh:
            for rank, member in enumerate(mesh_channel(self.family, count, channel=channel)):
                ends[f"{self.family}[{rank}]"]["mesh"] = member
        programs = {
            f"{self.family}[{rank}]": partial(
                self.program, folder, self.family, ends[f"{self.family}[{rank}]"], theirs[rank]
            )
            for rank in range(count)
        }
        if self.middle is not None:
            programs[self.middle] = partial(self.program, folder, self.middle, ends[self.middle], ours)
        results = run_roles(programs, [end for own in ends.values() for end in own.values()])
        return results.get(self.middle or ""), [results[f"{self.family}[{rank}]"] for rank in range(count)]

    def in_processes(self, folder: Path, count: int, ours: dict[str, Any], theirs: list[dict[str, Any]]) -> Any:
        context = multiprocessing.get_context("spawn")
        names = [f"{self.family}[{rank}]" for rank in range(count)] + ([self.middle] if self.middle else [])
        pipes = {name: context.Pipe() for name in names}
        processes = []
        for name in names:
            arguments = ours if name == self.middle else theirs[names.index(name)]
            rank = None if name == self.middle else names.index(name)
            processes.append(
                context.Process(
                    target=perform, args=(self.name, folder, name, rank, count, arguments, pipes[name][1]), daemon=True
                )
            )
        for process in processes:
            process.start()
        addresses = {name: pipes[name][0].recv() for name in names}
        for name in names:
            pipes[name][0].send(addresses)
        results = {name: pickle.loads(pipes[name][0].recv()) for name in names}  # noqa: S301 - from our own processes
        for process in processes:
            process.join(DEADLINE)
        for name, result in results.items():
            if isinstance(result, Exception):
                raise RuntimeError(f"{name}: {result!r}")
        return results.get(self.middle or ""), [results[f"{self.family}[{rank}]"] for rank in range(count)]


def perform(case_name: str, folder: Path, role: str, rank: int | None, count: int, arguments: Any, pipe: Any) -> None:
    """One role in a process of its own: meets the others, runs its program, sends back its result."""
    case = CASES[case_name]
    session = Session(name=case_name, deadline=DEADLINE)
    listener = Listener(("127.0.0.1", 0), role, session=session)
    pipe.send(listener.address)
    addresses = pipe.recv()
    members = [f"{case.family}[{at}]" for at in range(count)]
    ends: dict[str, Any] = {}
    try:
        if rank is None:
            met = listener.accept_all([(member, "star") for member in members])
            ends["star"] = StarCentre([met[member, "star"] for member in members])
        else:
            if case.middle is not None:
                end = connect(addresses[case.middle], role, case.middle, "star", session=session)
                ends["star"] = StarMember(end, rank, count)
            if case.mesh:
                lower = {at: connect(addresses[members[at]], role, members[at], "mesh", session=session) for at in range(rank)}
                met = listener.accept_all([(members[at], "mesh") for at in range(rank + 1, count)])
                higher = {at: met[members[at], "mesh"] for at in range(rank + 1, count)}
                ends["mesh"] = MeshMember(lower | higher, rank, role)
        own = case.family if rank is not None else role
        result = play(role, partial(case.program, folder, own, ends, arguments), ends.values())
    except Exception as error:  # noqa: BLE001 - the parent says what went wrong where
        result = RuntimeError(repr(error))
    # By value: the process is gone when the parent looks at it.
    pipe.send(pickle.dumps(result))


def rows_and_answers(rng: random.Random, count: int) -> Any:
    """Points of a plane for each member, of a number that differs from member to member."""
    import numpy

    given = []
    for rank in range(count):
        rows = numpy.array([[rng.uniform(-1, 1), 1.0] for _ in range(5 + rank)])
        given.append({"rows": rows, "answers": rows @ numpy.array([2.0, 1.0])})
    return given


def zeros(size: int) -> Any:
    import numpy

    return numpy.zeros(size)


def fedavg(module: Any, ours: Any, theirs: Any) -> Any:
    model = ours["start"]
    for _ in range(module.ROUNDS):
        model = module.average([module.train(model, one["rows"], one["answers"]) for one in theirs])
    return model, [None] * len(theirs)


def parameter_server(module: Any, ours: Any, theirs: Any) -> Any:
    weights, rounds = ours["start"], 0
    for _ in range(module.LIMIT):
        direction = module.mean([module.gradient(weights, one["rows"], one["answers"]) for one in theirs])
        weights = weights - module.RATE * direction
        rounds += 1
        if abs(direction).max() < ours["tolerance"]:
            break
    return weights, [rounds] * len(theirs)


def secure_aggregation(module: Any, ours: Any, theirs: Any) -> Any:
    return sum(one["vector"] for one in theirs) % module.MODULUS, [4] * len(theirs)


def secrets(rng: random.Random, count: int) -> Any:
    import numpy

    given = [numpy.array([rng.randrange(100) for _ in range(4)]) for _ in range(count)]
    return {"length": 4}, [{"vector": vector, "secret": rng.randrange(10**9)} for vector in given]


def pipeline(module: Any, ours: Any, theirs: Any) -> Any:
    outputs = []
    for batch in theirs[0]["batches"]:
        for stage in theirs:
            batch = module.forward(stage["weights"], batch)
        outputs.append(batch)
    return None, [[] for _ in theirs[:-1]] + [outputs]


def split_learning(module: Any, ours: Any, theirs: Any) -> Any:
    head, layers, labels = ours["start"], [one["layer"] for one in theirs], [one["labels"] for one in theirs]
    for _ in range(module.EPOCHS):
        activations = [one["inputs"] @ layer for layer, one in zip(layers, theirs)]
        back = module.answer(head, activations, labels)
        head = module.learn_head(head, activations, labels)
        layers = [module.learn_layer(layer, one["inputs"], mine) for layer, one, mine in zip(layers, theirs, back)]
    return head, layers


def fedavg_torch(module: Any, ours: Any, theirs: Any) -> Any:
    weights = ours["start"]
    for _ in range(module.ROUNDS):
        weights = module.average([module.train(weights, one["inputs"], one["targets"]) for one in theirs])
    return weights, [None] * len(theirs)


def tensors(rng: random.Random, count: int) -> Any:
    import torch

    torch.manual_seed(rng.randrange(1000))
    given = []
    for _ in range(count):
        inputs = torch.randn(16, 3)
        given.append({"inputs": inputs, "targets": inputs @ torch.tensor([1.0, -2.0, 0.5])})
    return {"start": torch.zeros(3)}, given


def stages(rng: random.Random, count: int) -> Any:
    """Layers of different widths, one for each stage."""
    import numpy

    source = numpy.random.default_rng(rng.randrange(1000))
    batches = [source.random((2, 3)) for _ in range(4)]
    given = []
    for rank in range(count):
        weights = source.uniform(-1, 1, size=(3 + rank, 4 + rank))
        given.append({"weights": weights, "batches": batches if rank == 0 else [], "ticks": len(batches) + count - 1})
    return {}, given


def split(rng: random.Random, count: int) -> Any:
    import numpy

    given = []
    for rank in range(count):
        inputs = numpy.array([[rng.uniform(-1, 1), rng.uniform(-1, 1)] for _ in range(6 + rank)])
        layer = numpy.array([[0.1, 0.2, 0.3], [0.2, 0.1, 0.0]])
        given.append({"layer": layer, "inputs": inputs, "labels": inputs[:, 0] - inputs[:, 1]})
    return {"start": numpy.ones(3)}, given


CASES = {
    case.name: case
    for case in [
        Case("fedavg", "FedAvg.fit", "Server", "Clients", False, lambda rng, n: ({"start": zeros(2)}, rows_and_answers(rng, n)), fedavg),
        Case("parameter_server", "ParameterServer.fit", "Server", "Workers", False, lambda rng, n: ({"start": zeros(2), "tolerance": 1e-3}, rows_and_answers(rng, n)), parameter_server),
        Case("secure_aggregation", "SecureAggregation.total", "Server", "Clients", True, secrets, secure_aggregation),
        Case("pipeline", "Pipeline.run", None, "Stages", True, stages, pipeline),
        Case("split_learning", "SplitLearning.fit", "Server", "Clients", False, split, split_learning),
        Case("fedavg_torch", "FedAvgTorch.fit", "Server", "Clients", False, tensors, fedavg_torch),
    ]
}


def port(path: Path) -> Case:
    """A port, with the sequential meaning that it brings along."""
    found = re.search(r"^# census: (\S+) (\S+) (\S+)( mesh)?$", path.read_text(), re.MULTILINE)
    if found is None:
        raise AssertionError(f"{path.name} does not say how to run it")

    def given(rng: random.Random, count: int) -> Any:
        return load(path, f"reference_{path.stem}").given(rng, count)

    def expected(module: types.ModuleType, ours: Any, theirs: Any) -> Any:
        return module.expected(ours, theirs)

    middle = None if found[2] == "-" else found[2]
    return Case(path.stem, found[1], middle, found[3], found[4] is not None, given, expected, PORTS)


CASES |= {path.stem: port(path) for path in sorted(PORTS.glob("*.py"))}


def part_of(result: Any, at: int) -> Any:
    """The part of a result of several parts that a role has."""
    return result[at] if isinstance(result, tuple) else result


def same(got: Any, wanted: Any) -> bool:
    if isinstance(got, list) and isinstance(wanted, list):
        return len(got) == len(wanted) and all(map(same, got, wanted))
    if hasattr(got, "tolist"):
        return bool(got.tolist() == wanted.tolist())
    return repr(got) == repr(wanted)


def wrong_with(case: Case, folder: Path, count: int, way: str) -> str:
    ours, theirs = case.given(random.Random(count), count)
    ways = {
        "threads": case.in_threads,
        "processes": case.in_processes,
        "tcp": partial(case.in_threads, network="tcp"),
        "zmq": partial(case.in_threads, network="zmq"),
    }
    middle, members = ways[way](folder, count, ours, theirs)
    module = load(case.path, f"reference_{case.name}")
    wanted_middle, wanted_members = case.expected(module, ours, theirs)
    if not same(part_of(middle, 0), wanted_middle):
        return f"the middle got {middle!r}, not {wanted_middle!r}"
    for rank, (got, wanted) in enumerate(zip(members, wanted_members, strict=True)):
        if not same(part_of(got, 1), wanted):
            return f"member {rank} got {got!r}, not {wanted!r}"
    return ""


def main() -> int:
    chosen = {name for name in sys.argv[1:] if not name.startswith("-")}
    everything = "--all" in sys.argv[1:]
    everywhere = [(3, "tcp"), (3, "zmq")] if everything else []
    if everything and importlib.util.find_spec("zmq") is None:
        sys.exit("--all needs pyzmq")
    passed, failed = 0, 0
    for case in CASES.values():
        if chosen and case.name not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            project(case.path, Path(folder))
            whole = everything or case.path.parent == EXAMPLES
            runs = [(1, "threads"), (2, "threads"), (3, "threads"), (4, "threads"), (3, "processes")]
            for count, way in (runs + everywhere if whole else [(3, "threads")]):
                wrong = wrong_with(case, Path(folder), count, way)
                passed += not wrong
                failed += bool(wrong)
                if wrong:
                    print(f"{case.name}, {count} member(s), {way}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
