"""Round trips of one message between two processes: our channels beside what one would write without them.

Every way carries the same values there and back; time is that of the side that begins, CPU that of both sides.
The smallest of several repeats counts, taken in turns, so that what else the machine does weighs on all alike.
"""

from __future__ import annotations

import multiprocessing
import pickle
import socket
import struct
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from pytrope.choreo import Listener, connect

__all__ = ["PAYLOADS", "WAYS", "Figure", "measure_all"]


class Figure(NamedTuple):
    """Microseconds of one round trip."""

    time: float
    cpu: float


def ping(exchange: Callable[[Any], Any], value: Any, rounds: int) -> tuple[float, float]:
    exchange(value)  # warms up
    cpu, start = time.process_time(), time.perf_counter()
    for _ in range(rounds):
        exchange(value)
    return time.perf_counter() - start, time.process_time() - cpu


def pong(answer: Callable[[], None], rounds: int) -> float:
    answer()
    cpu = time.process_time()
    for _ in range(rounds):
        answer()
    return time.process_time() - cpu


# Raw sockets with pickle: the least that one would write by hand.


def _raw_send(connection: socket.socket, value: Any) -> None:
    data = pickle.dumps(value, 5)
    connection.sendall(struct.pack(">I", len(data)) + data)


def _raw_receive(connection: socket.socket) -> Any:
    (size,) = struct.unpack(">I", connection.recv(4, socket.MSG_WAITALL))
    return pickle.loads(connection.recv(size, socket.MSG_WAITALL))


def raw_ping(told: Any, value: Any, rounds: int) -> tuple[float, float]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        told.send(server.getsockname())
        connection, _ = server.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def exchange(sent: Any) -> Any:
        _raw_send(connection, sent)
        return _raw_receive(connection)

    return ping(exchange, value, rounds)


def raw_pong(told: Any, rounds: int) -> float:
    connection = socket.create_connection(told.recv())
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return pong(lambda: _raw_send(connection, _raw_receive(connection)), rounds)


# Ours, as a projection uses it, and the same with 0 for every number, which stands for none.


def _our_ways(there: int, back: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def our_ping(told: Any, value: Any, rounds: int) -> tuple[float, float]:
        listener = Listener(("127.0.0.1", 0), "Ping")
        told.send(listener.address)
        with listener.accept("Pong") as end:

            def exchange(sent: Any) -> Any:
                end.send(sent, site=there)
                return end.recv(site=back)

            figures = ping(exchange, value, rounds)
        listener.close()
        return figures

    def our_pong(told: Any, rounds: int) -> float:
        with connect(told.recv(), "Pong", "Ping") as end:
            return pong(lambda: end.send(end.recv(site=there), site=back), rounds)

    return our_ping, our_pong


def zmq_ping(told: Any, value: Any, rounds: int) -> tuple[float, float]:
    import zmq

    made = zmq.Context().socket(zmq.PAIR)
    told.send(made.bind_to_random_port("tcp://127.0.0.1"))

    def exchange(sent: Any) -> Any:
        made.send_pyobj(sent, protocol=5)
        return made.recv_pyobj()

    return ping(exchange, value, rounds)


def zmq_pong(told: Any, rounds: int) -> float:
    import zmq

    made = zmq.Context().socket(zmq.PAIR)
    made.connect(f"tcp://127.0.0.1:{told.recv()}")
    used = pong(lambda: made.send_pyobj(made.recv_pyobj(), protocol=5), rounds)
    made.close(linger=1000)
    return used


_GRPC = [("grpc.max_receive_message_length", 1 << 26), ("grpc.max_send_message_length", 1 << 26)]


def grpc_ping(told: Any, value: Any, rounds: int) -> tuple[float, float]:
    import grpc

    channel = grpc.insecure_channel(f"127.0.0.1:{told.recv()}", options=_GRPC)
    call = channel.unary_unary(
        "/bench.Echo/Call", request_serializer=lambda sent: pickle.dumps(sent, 5), response_deserializer=pickle.loads
    )
    return ping(lambda sent: call(sent, wait_for_ready=True), value, rounds)


def grpc_pong(told: Any, rounds: int) -> float:
    import threading
    from concurrent.futures import ThreadPoolExecutor

    import grpc

    calls = threading.Semaphore(0)

    def echo(request: Any, _context: Any) -> Any:
        calls.release()
        return request

    handler = grpc.unary_unary_rpc_method_handler(
        echo, request_deserializer=pickle.loads, response_serializer=lambda sent: pickle.dumps(sent, 5)
    )
    server = grpc.server(ThreadPoolExecutor(1), options=_GRPC)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Call": handler}),))
    told.send(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    used = pong(calls.acquire, rounds)
    server.stop(1).wait()
    return used


def _pychor(told: Any, me: str) -> tuple[Any, Any, Any, Any]:
    import pychor

    parties = pychor.Party("ping"), pychor.Party("pong")
    if me == "ping":
        servers = [socket.create_server(("127.0.0.1", 0)) for _ in parties]
        ports = [server.getsockname()[1] for server in servers]
        for server in servers:
            server.close()
        told.send(ports)
    else:
        ports = told.recv()
    addresses = {party: ("127.0.0.1", port) for party, port in zip(parties, ports, strict=True)}
    mine = parties[0] if me == "ping" else parties[1]
    return pychor.TCPBackend(list(parties), me=mine, addresses=addresses), mine, *parties


def _pychor_round(value: Any, ping_party: Any, pong_party: Any) -> None:
    there = ping_party.__rmatmul__(value)  # `array @ party` would be NumPy's
    there.send(ping_party, pong_party)
    there.send(pong_party, ping_party)


def pychor_ping(told: Any, value: Any, rounds: int) -> tuple[float, float]:
    backend, _, one, other = _pychor(told, "ping")
    with backend:
        return ping(lambda sent: _pychor_round(sent, one, other), value, rounds)


def pychor_pong(told: Any, rounds: int) -> float:
    backend, _, one, other = _pychor(told, "pong")
    with backend:
        return pong(lambda: _pychor_round(None, one, other), rounds)


WAYS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "raw sockets + pickle": (raw_ping, raw_pong),
    "pytrope": _our_ways(3, 4),
    "pytrope without sites": _our_ways(0, 0),
    "pyzmq + pickle": (zmq_ping, zmq_pong),
    "gRPC + pickle": (grpc_ping, grpc_pong),
    "PyChor": (pychor_ping, pychor_pong),
}


def _arrays() -> Any:
    import numpy

    return numpy.arange(131_072.0)


PAYLOADS: dict[str, tuple[Callable[[], Any], int]] = {
    "an integer": (lambda: 12345, 3000),
    "a dictionary of 20": (lambda: {f"key{at}": at for at in range(20)}, 1500),
    "10,000 floats in a list": (lambda: [0.5 * at for at in range(10_000)], 100),
    "an array of 1 MB": (_arrays, 100),
}


def _play(side: Callable[..., Any], *given: Any) -> None:
    answer, *rest = given
    try:
        answer.send((side(*rest), ""))
    except BaseException as error:
        answer.send((None, repr(error)))
        raise


def measure_once(way: str, payload: str) -> Figure:
    make, rounds = PAYLOADS[payload]
    one, other = WAYS[way]
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    answers = [context.Pipe(duplex=False) for _ in range(2)]
    processes = [
        context.Process(target=_play, args=(one, answers[0][1], here, make(), rounds)),
        context.Process(target=_play, args=(other, answers[1][1], there, rounds)),
    ]
    for process in processes:
        process.start()
    results = []
    for receiving, _ in answers:
        if not receiving.poll(120):
            raise AssertionError(f"{way} did not answer within two minutes")
        result, failure = receiving.recv()
        if failure:
            raise AssertionError(f"{way} failed: {failure}")
        results.append(result)
    for process in processes:
        process.join()
    (seconds, cpu), other_cpu = results
    return Figure(seconds / rounds * 1e6, (cpu + other_cpu) / rounds * 1e6)


def measure_all(ways: list[str], repeats: int) -> dict[tuple[str, str], Figure]:
    """The best figure of each way for each payload."""
    found: dict[tuple[str, str], Figure] = {}
    for payload, (_, rounds) in PAYLOADS.items():
        # Short round trips are the most disturbed, and the quickest to repeat.
        for _ in range(2 * repeats if rounds > 1000 else repeats):
            for way in ways:
                new = measure_once(way, payload)
                old = found.get((way, payload), new)
                found[way, payload] = Figure(min(old.time, new.time), min(old.cpu, new.cpu))
    return found
