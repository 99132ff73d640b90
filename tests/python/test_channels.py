"""What every kind of channel does alike: in process, over TCP, over TLS, and with asyncio."""

import asyncio
import threading
import unittest
from collections.abc import Callable
from typing import Any

import peers  # noqa: F401 - puts the package on the path
from pytrope.choreo import (
    AsyncEndpoint,
    AsyncListener,
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
    SiteMismatch,
    connect,
    connect_async,
    local_channel,
    run_roles,
    tcp_channel,
)
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
            for role in ("P", "Q", "R"):  # whoever comes first
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
