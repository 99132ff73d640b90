"""One-way messages per second of a ping-pong: our channels beside PyChor's, in one run.

Prints a Markdown table, and fails when ours fall below the figures that the project promises.
Over TCP both run one process per role.  In process ours are two threads; PyChor has no such
thing: its simulation is one thread that plays all parties, to be compared with our global
meaning, the choreography run as it is.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import socket
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from pytrope.choreo import Endpoint, Listener, connect, direct_channel, local_channel, run_roles

IN_PROCESS = 20_000
OVER_TCP = 10_000
REPEATS = 3


def ping(end: Endpoint, rounds: int) -> float:
    """Seconds for that many round trips, the first of which only warms up."""
    end.send(-1)
    end.recv()
    start = time.perf_counter()
    for ball in range(rounds):
        end.send(ball)
        if end.recv() != ball + 1:
            raise AssertionError("the ball came back wrong")
    return time.perf_counter() - start


def pong(end: Endpoint, rounds: int) -> None:
    for _ in range(rounds + 1):
        end.send(end.recv() + 1)


def in_process(rounds: int) -> float:
    a, b = local_channel("Ping", "Pong")
    seconds: float = run_roles({"Ping": lambda: ping(a, rounds), "Pong": lambda: pong(b, rounds)}, [a, b])["Ping"]
    return seconds


def _pong_process(address: tuple[str, int], rounds: int) -> None:
    with connect(address, "Pong", "Ping") as end:
        pong(end, rounds)


def over_tcp(rounds: int) -> float:
    listener = Listener(("127.0.0.1", 0), "Ping")
    other = multiprocessing.get_context("fork").Process(target=_pong_process, args=(listener.address, rounds))
    other.start()
    with listener.accept("Pong") as end:
        seconds = ping(end, rounds)
    other.join()
    listener.close()
    return seconds


def _pychor_party(name: str, ports: tuple[int, int], rounds: int, answer: Any) -> None:
    import pychor

    ping_party, pong_party = pychor.Party("ping"), pychor.Party("pong")
    addresses = {party: ("127.0.0.1", port) for party, port in zip((ping_party, pong_party), ports, strict=True)}
    me = ping_party if name == "ping" else pong_party
    with pychor.TCPBackend([ping_party, pong_party], me=me, addresses=addresses):
        start = time.perf_counter()
        for ball in range(rounds):
            there = ball @ ping_party
            there.send(ping_party, pong_party)
            back = there.only(pong_party) + 1
            back.send(pong_party, ping_party)
        seconds = time.perf_counter() - start
    if name == "ping":
        answer.send(seconds)


def pychor_tcp(rounds: int) -> float:
    servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    ports = (servers[0].getsockname()[1], servers[1].getsockname()[1])
    for server in servers:
        server.close()
    context = multiprocessing.get_context("fork")
    receiving, answer = context.Pipe(duplex=False)
    parties = [context.Process(target=_pychor_party, args=(name, ports, rounds, answer)) for name in ("ping", "pong")]
    for party in parties:
        party.start()
    if not receiving.poll(120):
        raise AssertionError("PyChor did not answer within two minutes")
    seconds: float = receiving.recv()
    for party in parties:
        party.join()
    return seconds


def pychor_simulation(rounds: int) -> float:
    import pychor

    ping_party, pong_party = pychor.Party("ping"), pychor.Party("pong")
    with pychor.SimulationBackend([ping_party, pong_party]):
        start = time.perf_counter()
        for ball in range(rounds):
            there = ball @ ping_party
            there.send(ping_party, pong_party)
            back = there.only(pong_party) + 1
            back.send(pong_party, ping_party)
        return time.perf_counter() - start


def direct(rounds: int) -> float:
    channel = direct_channel()
    start = time.perf_counter()
    for ball in range(rounds):
        there = channel.com(ball)
        channel.com(there + 1)
    return time.perf_counter() - start


def rate(run: Callable[[int], float], rounds: int) -> float:
    """The median of several runs, in one-way messages per second."""
    return statistics.median(2 * rounds / run(rounds) for _ in range(REPEATS))


def main() -> int:
    rows: list[tuple[str, float, int | None]] = [
        ("pytrope, in process (two threads)", rate(in_process, 20_000), IN_PROCESS),
        ("pytrope, loopback TCP (two processes)", rate(over_tcp, 10_000), OVER_TCP),
        ("pytrope, global meaning (one thread)", rate(direct, 20_000), None),
    ]
    code = 0
    try:
        import pychor  # noqa: F401
    except ImportError:
        print("MISSING PEER: pychor; its row is left out", file=sys.stderr)
        code = 1 if os.environ.get("PYTROPE_REQUIRE_PEERS") == "1" else 0
    else:
        rows.insert(2, ("PyChor 0.4.0, loopback TCP (two processes)", rate(pychor_tcp, 10_000), None))
        rows.append(("PyChor 0.4.0, simulation (one thread)", rate(pychor_simulation, 20_000), None))
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, median of {REPEATS} runs\n")
    print("| ping-pong | one-way messages/s | promised |")
    print("|---|---:|---:|")
    for name, measured, promised in rows:
        print(f"| {name} | {measured:,.0f} | {f'≥ {promised:,}' if promised else ''} |")
        if promised is not None and measured < promised:
            print(f"error: {name} is slower than promised", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
