"""Messages between roles: one-way messages per second, then round trips beside what one would use without us.

Prints Markdown tables, and fails when ours fall below the figures that the project promises.  In process ours
are two threads; PyChor has no such thing: its simulation is one thread that plays all parties, to be compared
with our global meaning, the choreography run as it is.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from pytrope.choreo import Endpoint, Listener, connect, direct_channel, local_channel, run_roles
from round_trips import PAYLOADS, WAYS, measure_all

IN_PROCESS = 20_000
OVER_TCP = 10_000
REPEATS = 5
PROMISED = {"an integer": 1.3, "an array of 1 MB": 1.3}


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
    """The best of several runs, in one-way messages per second."""
    return max(2 * rounds / run(rounds) for _ in range(REPEATS))


def messages_per_second() -> int:
    rows: list[tuple[str, float, int | None]] = [
        ("pytrope, in process (two threads)", rate(in_process, 20_000), IN_PROCESS),
        ("pytrope, loopback TCP (two processes)", rate(over_tcp, 10_000), OVER_TCP),
        ("pytrope, global meaning (one thread)", rate(direct, 20_000), None),
    ]
    if "pychor" not in absent_peers():
        rows.append(("PyChor 0.4.0, simulation (one thread)", rate(pychor_simulation, 20_000), None))
    print("| ping-pong | one-way messages/s | promised |")
    print("|---|---:|---:|")
    code = 0
    for name, measured, promised in rows:
        print(f"| {name} | {measured:,.0f} | {f'≥ {promised:,}' if promised else ''} |")
        if promised is not None and measured < promised:
            print(f"error: {name} is slower than promised", file=sys.stderr)
            code = 1
    return code


def round_trips() -> int:
    """Beside raw sockets, ours may use 1.3 times the CPU; with sites, 5 % more than without."""
    absent = absent_peers()
    ways = [way for way in WAYS if not any(name in way.lower().replace("pyzmq", "zmq") for name in absent)]
    figures = measure_all(ways, REPEATS)
    print("| round trip, µs (CPU of both ends) | " + " | ".join(ways) + " | CPU of pytrope ÷ raw | promised |")
    print("|---" * (len(ways) + 3) + "|")
    code = 0
    for payload in PAYLOADS:
        told = [f"{figures[way, payload].time:,.0f} ({figures[way, payload].cpu:,.0f})" for way in ways]
        ratio = figures["pytrope", payload].cpu / figures["raw sockets + pickle", payload].cpu
        promised = PROMISED.get(payload)
        print(f"| {payload} | {' | '.join(told)} | {ratio:.2f} | {f'≤ {promised}' if promised else ''} |")
        if promised is not None and ratio > promised:
            print(f"error: {payload} takes {ratio:.2f} times the CPU of raw sockets", file=sys.stderr)
            code = 1
    cost = figures["pytrope", "an integer"].cpu / figures["pytrope without sites", "an integer"].cpu - 1
    print(f"\nNumbers of communications cost {100 * cost:.1f} % of the CPU of a message (promised: at most 5 %).")
    if cost > 0.05:
        print("error: the numbers cost more than promised", file=sys.stderr)
        code = 1
    return code


def absent_peers() -> list[str]:
    """The peers that are not installed, said aloud."""
    absent = []
    for name in ("pychor", "zmq", "grpc", "numpy", "msgpack"):
        try:
            importlib.import_module(name)
        except ImportError:
            absent.append(name)
    return absent


def main() -> int:
    absent = absent_peers()
    for name in absent:
        print(f"MISSING PEER: {name}; its figures are left out", file=sys.stderr)
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, best of {REPEATS} runs\n")
    code = messages_per_second()
    print()
    if "numpy" not in absent:
        code = max(code, round_trips())
    return 1 if code or (absent and os.environ.get("PYTROPE_REQUIRE_PEERS") == "1") else 0


if __name__ == "__main__":
    sys.exit(main())
