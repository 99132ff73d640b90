"""What every kind of channel does alike: in process, over TCP, over TLS, and with asyncio."""

import asyncio
import importlib
import os
import subprocess
import sys
import threading
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peers
from pytrope.choreo import (
    AsyncEndpoint,
    AsyncListener,
    ChoreoError,
    ChoreographyMismatch,
    CountMismatch,
    DeadlineExceeded,
    EncodeError,
    Endpoint,
    FrameTooLarge,
    KindMismatch,
    Listener,
    PeerAborted,
    PeerGone,
    RoleFailed,
    Session,
    SessionMismatch,
    SiteMismatch,
    WrongPeer,
    connect,
    connect_async,
    local_channel,
    run_roles,
    tcp_channel,
)
from pytrope.choreo.networks import find_network, network_channel
from talk import DEADLINE, Answer, certificates

Pair = tuple[Endpoint, Endpoint]


class Conversations:
    """The tests themselves; each transport below says how to make a pair of ends."""

    make: Callable[[float], Pair]

    def test_values_arrive_in_order(self: Any) -> None:
        a, b = self.make(10)
        for value in (1, "two", [3.0], (4,), {"five": 5}, b"six", None, Answer.YES):
            a.send(value)
        self.assertEqual([b.recv() for _ in range(8)], [1, "two", [3.0], (4,), {"five": 5}, b"six", None, Answer.YES])
        b.send("back")
        self.assertEqual(a.recv(), "back")

    def test_a_label_arrives_as_the_receivers_own_member(self: Any) -> None:
        a, b = self.make(10)
        a.select(Answer.NO)
        match b.offer():
            case Answer.NO:
                pass
            case other:
                self.fail(f"{other!r} is not Answer.NO")

    def test_large_values_arrive(self: Any) -> None:
        a, b = self.make(10)
        blob = bytes(range(256)) * 20_000
        results = run_roles({"A": lambda: a.send([blob, blob]), "B": b.recv})
        self.assertEqual(results["B"], [blob, blob])

    def test_a_peer_that_says_nothing_is_a_deadline(self: Any) -> None:
        _a, b = self.make(DEADLINE)
        with self.assertRaises(DeadlineExceeded):
            b.recv()
        with self.assertRaises(DeadlineExceeded):
            b.offer()  # an end that missed a message stays broken

    def test_one_receive_may_be_less_patient(self: Any) -> None:
        _a, b = self.make(60)
        with self.assertRaises(DeadlineExceeded):
            b.recv(timeout=0.01)

    def test_an_end_that_closes_tells_its_peer(self: Any) -> None:
        a, b = self.make(10)
        a.send(1)
        a.close()
        a.close()
        self.assertEqual(b.recv(), 1)
        with self.assertRaises(PeerGone):
            b.recv()
        with self.assertRaises(PeerGone):
            a.send(2)

    def test_an_abort_carries_its_reason_and_origin(self: Any) -> None:
        a, b = self.make(10)
        a.abort("out of paper", "C")
        a.abort("twice does no harm")
        with self.assertRaises(PeerAborted) as caught:
            b.recv()
        self.assertEqual((caught.exception.origin, caught.exception.reason), ("C", "out of paper"))

    def test_a_value_is_no_label_and_a_label_no_value(self: Any) -> None:
        a, b = self.make(10)
        a.send(Answer.YES)
        with self.assertRaises(KindMismatch):
            b.offer()
        a, b = self.make(10)
        a.select(Answer.YES)
        with self.assertRaises(KindMismatch):
            b.recv()
        with self.assertRaises(KindMismatch):
            a.select("YES")

    def test_ends_at_different_places_notice(self: Any) -> None:
        a, b = self.make(10)
        a.send(1, site="auth.py:3")
        self.assertEqual(b.recv(site="auth.py:3"), 1)
        a.send(2, site="auth.py:4")
        with self.assertRaises(SiteMismatch):
            b.recv(site="auth.py:9")

    def test_projected_programs_that_are_in_different_methods_notice(self: Any) -> None:
        """A module with the mark of a projection: its methods are the sites."""
        program = "CHOREOGRAPHY = ''\ndef login(end, do, *given): return getattr(end, do)(*given)\n"
        here: dict[str, Any] = {}
        exec(program + program.replace("login", "logout"), here)  # noqa: S102
        a, b = self.make(10)
        here["login"](a, "send", 1)
        self.assertEqual(here["login"](b, "recv"), 1)
        here["login"](a, "send", 2)
        self.assertEqual(b.recv(), 2)  # this test is no projection
        here["login"](a, "select", Answer.YES)
        with self.assertRaisesRegex(SiteMismatch, "B is at logout"):
            here["logout"](b, "offer")

    def test_what_cannot_be_sent_leaves_the_channel_whole(self: Any) -> None:
        a, b = self.make(10)
        with self.assertRaises(EncodeError):
            a.send(object())
        a.send("still here")
        self.assertEqual(b.recv(), "still here")

    def test_ends_that_finish_agree_on_what_was_said(self: Any) -> None:
        a, b = self.make(10)
        run_roles({"A": lambda: a.send(1, site=1), "B": lambda: b.recv(site=1)}, [a, b])
        with self.assertRaises(PeerGone):
            a.send(2)

    def test_a_message_that_is_never_read_is_noticed(self: Any) -> None:
        a, b = self.make(10)
        with self.assertRaises(RoleFailed) as caught:
            run_roles({"A": lambda: a.send(1, site=1), "B": lambda: None}, [a, b])
        self.assertEqual(set(caught.exception.failures), {"A", "B"})
        self.assertIn(CountMismatch, map(type, caught.exception.failures.values()))

    def test_arrays_may_be_changed_once_they_are_sent(self: Any) -> None:
        try:
            import numpy
        except ImportError:
            peers.missing("numpy")
        a, b = self.make(30)
        array = numpy.arange(100_000.0)

        def send() -> None:
            a.send(array)
            array[:] = 0

        got = run_roles({"A": send, "B": b.recv})["B"]
        numpy.testing.assert_array_equal(got, numpy.arange(100_000.0))
        got += 1  # the receiver's own

    def test_leaving_a_block_by_an_error_aborts(self: Any) -> None:
        a, b = self.make(10)
        with self.assertRaises(ZeroDivisionError), a:
            raise ZeroDivisionError
        with self.assertRaisesRegex(PeerAborted, "A aborted: ZeroDivisionError"), b:
            b.recv()

    def test_a_failure_travels_through_all_roles_to_the_last(self: Any) -> None:
        a, b = self.make(30)
        b2, c = local_channel("B", "C", deadline=30)
        programs = {"A": lambda: 1 / 0, "B": lambda: b2.send(b.recv()), "C": c.recv}
        with self.assertRaises(RoleFailed) as caught:
            run_roles(programs, [a, b, b2, c])
        failures = caught.exception.failures
        self.assertEqual(list(failures), ["A", "B", "C"])
        self.assertIsInstance(failures["A"], ZeroDivisionError)
        for role in ("B", "C"):
            self.assertIsInstance(failures[role], PeerAborted)
            self.assertEqual(failures[role].origin, "A")  # type: ignore[attr-defined]


class InProcess(Conversations, unittest.TestCase):
    def make(self, deadline: float) -> Pair:
        return local_channel("A", "B", deadline=deadline)

    def test_a_deadline_must_be_positive(self) -> None:
        for deadline in (0, -1, float("nan")):
            with self.assertRaises(ValueError):
                local_channel("A", "B", deadline=deadline)

    def test_many_threads_and_channels(self) -> None:
        ends = [local_channel(f"W{i}", "Hub", deadline=30) for i in range(20)]
        programs: dict[str, Callable[[], Any]] = {
            f"W{i}": (lambda end=end, i=i: [end.send(i), end.recv()][1]) for i, (end, _) in enumerate(ends)
        }
        programs["Hub"] = lambda: [hub.send(hub.recv() + 1) for _, hub in ends]
        results = run_roles(programs, [end for pair in ends for end in pair])
        self.assertEqual([results[f"W{i}"] for i in range(20)], list(range(1, 21)))


class OverTcp(Conversations, unittest.TestCase):
    def make(self, deadline: float) -> Pair:
        a, b = tcp_channel("A", "B", session=Session(name="s", choreography="c", deadline=deadline))
        self.addCleanup(a.close)
        self.addCleanup(b.close)
        return a, b

    def test_a_message_over_the_limit_is_refused_before_it_is_sent(self) -> None:
        a, b = tcp_channel("A", "B", session=Session(max_frame=1000))
        with self.assertRaises(FrameTooLarge):
            a.send("x" * 1001)
        a.send("y")
        self.assertEqual(b.recv(), "y")
        a.close()
        b.close()

    def test_who_comes_early_waits_to_be_awaited(self) -> None:
        session = Session(deadline=30)
        listener = Listener("127.0.0.1:0", "Hub", session=session)
        self.addCleanup(listener.close)

        def arrive(role: str) -> Any:
            with connect(listener.address, role, "Hub", session=session) as end:
                return end.recv()

        def hub() -> None:
            for role in ("P", "Q", "R"):  # in any order
                with listener.accept(role) as end:
                    end.send(role)

        roles = {role: (lambda role=role: arrive(role)) for role in ("R", "Q", "P")}
        self.assertEqual(run_roles({**roles, "Hub": hub}), {"R": "R", "Q": "Q", "P": "P", "Hub": None})

    def test_a_listener_awaits_several_peers_in_any_order(self) -> None:
        session = Session(name="many", deadline=30)
        listener = Listener("127.0.0.1:0", "Hub", session=session)
        self.addCleanup(listener.close)
        names = [("P", "x"), ("P", "y"), ("Q", "x")]

        def arrive(role: str, channel: str) -> None:
            with connect(listener.address, role, "Hub", channel, session=session) as end:
                end.send(f"{role}.{channel}")

        threads = [threading.Thread(target=arrive, args=pair) for pair in reversed(names)]
        for thread in threads:
            thread.start()
        ends = listener.accept_all(names)
        self.assertEqual({pair: end.recv() for pair, end in ends.items()}, {pair: ".".join(pair) for pair in names})
        for thread in threads:
            thread.join()
        for end in ends.values():
            end.close()


class OverTls(Conversations, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.client, cls.server = certificates()

    def make(self, deadline: float) -> Pair:
        session = Session(name="tls", deadline=deadline, client_tls=self.client, server_tls=self.server)
        a, b = tcp_channel("A", "B", session=session)
        self.addCleanup(a.close)
        self.addCleanup(b.close)
        return a, b

    def test_a_peer_without_a_certificate_is_not_met(self) -> None:
        listener = Listener("127.0.0.1:0", "B", session=Session(deadline=2, server_tls=self.server))
        self.addCleanup(listener.close)
        plain = Session(deadline=2)
        with self.assertRaises(RoleFailed) as caught:
            run_roles(
                {"A": lambda: connect(listener.address, "A", "B", session=plain), "B": lambda: listener.accept("A")}
            )
        self.assertIsInstance(caught.exception.failures["A"], PeerGone)
        self.assertIsInstance(caught.exception.failures["B"], DeadlineExceeded)


class OverNetwork(Conversations):
    """The extras: a network each, with the same conversations."""

    network: str
    package: str

    def make(self: Any, deadline: float) -> Pair:
        try:
            importlib.import_module(self.package)
        except ImportError:
            peers.missing(self.package)
        a, b = network_channel(self.network, "A", "B", session=Session(name="s", choreography="c", deadline=deadline))
        self.addCleanup(a.close)
        self.addCleanup(b.close)
        return a, b

    def test_strangers_are_turned_away(self: Any) -> None:
        self.make(10)
        network = find_network(self.network)
        ours = Session(name="ours", deadline=30)
        listener = network.listen(("127.0.0.1", 0), "B", session=ours, peers=["A"])
        self.addCleanup(listener.close)

        def arrive() -> Any:
            for role, session, error in (
                ("A", Session(name="other", deadline=30), SessionMismatch),
                ("A", Session(name="ours", choreography="older", deadline=30), ChoreographyMismatch),
                ("Mallory", ours, WrongPeer),
            ):
                with self.assertRaises(error):
                    network.connect(listener.address, role, "B", session=session)
            with network.connect(listener.address, "A", "B", session=ours) as end:
                return end.recv()

        def await_it() -> None:
            with listener.accept_all([("A", "")])["A", ""] as end:
                end.send("welcome")

        self.assertEqual(run_roles({"A": arrive, "B": await_it})["A"], "welcome")

    def test_what_only_tcp_keeps_is_refused(self: Any) -> None:
        self.make(10)
        client, server = certificates()
        network = find_network(self.network)
        for session, what in (
            (Session(heartbeat=1), "heartbeats"),
            (Session(client_tls=client, server_tls=server), "TLS"),
        ):
            with self.assertRaisesRegex(ChoreoError, what):
                network.listen(("127.0.0.1", 0), "B", session=session)
            with self.assertRaisesRegex(ChoreoError, what):
                network.connect(("127.0.0.1", 1), "A", "B", session=session)

    def test_a_peer_that_never_comes_is_a_deadline(self: Any) -> None:
        self.make(10)
        listener = find_network(self.network).listen(("127.0.0.1", 0), "B", session=Session(deadline=DEADLINE))
        with self.assertRaisesRegex(DeadlineExceeded, "still awaits A"):
            listener.accept_all([("A", "")])
        listener.close()


class OverZeroMq(OverNetwork, unittest.TestCase):
    network, package = "zmq", "zmq"


class OverGrpc(OverNetwork, unittest.TestCase):
    network, package = "grpc", "grpc"


class OverMpi(unittest.TestCase):
    def test_two_ranks_talk(self) -> None:
        mpiexec = peers.tool("mpiexec")
        script = Path(__file__).parent / "runner_cases" / "mpi_talk.py"
        done = subprocess.run(
            [mpiexec, "-n", "2", sys.executable, str(script)],
            env={**os.environ, "PYTHONPATH": str(peers.ROOT / "python")},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        self.assertEqual(
            (done.returncode, sorted(done.stdout.splitlines())), (0, ["A got 6.0", "B got 3"]), done.stderr
        )


class WithoutExtras(unittest.TestCase):
    def test_the_runtime_needs_no_extra_and_names_the_one_that_is_missing(self) -> None:
        """A Python that finds no package but its own still imports everything and says what to install."""
        program = """
import sys
for name in ("zmq", "grpc", "mpi4py", "msgpack", "numpy", "pydantic", "opentelemetry", "torch"):
    sys.modules[name] = None
import pytrope.choreo as choreo
from pytrope.choreo import networks, zeromq, grpc_streams, mpi, telemetry
for attempt, extra in (
    (lambda: zeromq.connect_zmq("127.0.0.1:1", "A", "B"), "zmq"),
    (lambda: grpc_streams.connect_grpc("127.0.0.1:1", "A", "B"), "grpc"),
    (lambda: mpi.open_mpi_end("A", "B", ranks={"A": 0, "B": 1}), "mpi"),
    (lambda: telemetry.trace_endpoint(None), "otel"),
):
    try:
        attempt()
    except choreo.MissingExtra as error:
        assert f"pytrope[{extra}]" in str(error), error
    else:
        raise AssertionError(extra)
a, b = choreo.tcp_channel("A", "B")
a.send([1.5, {"x": (2, b"y" * 1000)}])
print(b.recv()[0])
a.close()
b.close()
"""
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(peers.ROOT / "python")},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.stdout, done.stderr), ("1.5\n", ""))


class WithAsyncio(unittest.TestCase):
    async def pair(self, **options: Any) -> tuple[AsyncEndpoint, AsyncEndpoint]:
        session = Session(**options)
        listener = await AsyncListener.open("127.0.0.1:0", "B", session=session)
        a, b = await asyncio.gather(connect_async(listener.address, "A", "B", session=session), listener.accept("A"))
        await listener.close()
        return a, b

    def test_values_and_labels(self) -> None:
        async def talk() -> tuple[Any, Any]:
            a, b = await self.pair(deadline=10)
            await a.send([1, b"x"])
            await a.select(Answer.YES)
            got = await b.recv(), await b.offer()
            await a.close()
            await b.close()
            return got

        self.assertEqual(asyncio.run(talk()), ([1, b"x"], Answer.YES))

    def test_who_comes_early_waits_to_be_awaited(self) -> None:
        async def talk() -> list[Any]:
            session = Session(deadline=30)
            listener = await AsyncListener.open("127.0.0.1:0", "Hub", session=session)

            async def arrive(role: str) -> Any:
                async with await connect_async(listener.address, role, "Hub", session=session) as end:
                    return await end.recv()

            arriving = [asyncio.create_task(arrive(role)) for role in ("R", "Q", "P")]
            _, silent = await asyncio.open_connection(*listener.address)
            for role in ("P", "Q", "R"):
                async with await listener.accept(role) as end:
                    await end.send(role)
            silent.close()
            await listener.close()
            return [await task for task in arriving]

        self.assertEqual(asyncio.run(talk()), ["R", "Q", "P"])

    def test_tls(self) -> None:
        client, server = certificates()

        async def talk() -> Any:
            a, b = await self.pair(deadline=10, client_tls=client, server_tls=server)
            async with a, b:
                await a.send("hidden")
                return await b.recv()

        self.assertEqual(asyncio.run(talk()), "hidden")

    def test_a_silent_peer_is_a_deadline(self) -> None:
        async def talk() -> None:
            a, b = await self.pair(deadline=DEADLINE)
            with self.assertRaises(DeadlineExceeded):
                await b.recv()
            await a.close()
            await b.close()

        asyncio.run(talk())

    def test_leaving_a_block_by_an_error_aborts(self) -> None:
        async def talk() -> None:
            a, b = await self.pair(deadline=10)
            with self.assertRaises(ZeroDivisionError):
                async with a:
                    raise ZeroDivisionError
            with self.assertRaisesRegex(PeerAborted, "A aborted: ZeroDivisionError"):
                async with b:
                    await b.recv()

        asyncio.run(talk())

    def test_an_end_that_closes_tells_its_peer(self) -> None:
        async def talk() -> None:
            a, b = await self.pair(deadline=10)
            await a.close()
            await a.close()
            with self.assertRaises(PeerGone):
                async with b:
                    await b.recv()

        asyncio.run(talk())

    def test_a_blocking_and_an_asyncio_end_talk_to_each_other(self) -> None:
        listener = Listener("127.0.0.1:0", "B", session=Session(deadline=30))
        self.addCleanup(listener.close)

        async def ask() -> Any:
            async with await connect_async(listener.address, "A", "B", session=Session(deadline=30)) as a:
                await a.send(20)
                return await a.recv()

        def answer() -> None:
            with listener.accept("A") as b:
                b.send(b.recv() + 1)

        self.assertEqual(run_roles({"A": lambda: asyncio.run(ask()), "B": answer})["A"], 21)


if __name__ == "__main__":
    unittest.main()
