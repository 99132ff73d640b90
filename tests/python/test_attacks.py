"""What strangers, signals and drifting roles can do to a run: nothing, or a typed error that says who and where.

Each attack is one that an earlier runtime did not withstand, or that it must go on withstanding.  All of them
stay on the loopback interface, and none asks how long something took.
"""

import contextlib
import multiprocessing
import os
import signal
import socket
import struct
import sys
import threading
import types
import unittest
from collections.abc import Callable
from functools import partial
from typing import Any

import peers
from pytrope.choreo import (
    CountMismatch,
    DeadlineExceeded,
    FrameTooLarge,
    KindMismatch,
    Listener,
    PeerAborted,
    PeerEnded,
    PeerGone,
    RoleFailed,
    Session,
    SiteMismatch,
    TcpEndpoint,
    WrongPeer,
    connect,
    local_channel,
    run_roles,
    tcp_channel,
)
from pytrope.choreo.frames import HEADER, MAGIC, VERSION, FrameReader, Kind, key_of, read_frame, write_frame
from pytrope.choreo.memory import memory_channel
from pytrope.choreo.messagepack import write_text
from talk import DEADLINE, Answer, Authority, RawPeer, certificates


class Signals(unittest.TestCase):
    """Signals that are handled while an end waits; they go to the main thread, so the end is used there."""

    def tick(self, seconds: float) -> list[int]:
        """A timer that fires every so often until the test ends, and counts."""
        ticks: list[int] = [0]

        def count(_number: int, _frame: Any) -> None:
            ticks[0] += 1

        before = signal.signal(signal.SIGALRM, count)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        return ticks

    def pair(self, deadline: float) -> tuple[TcpEndpoint, TcpEndpoint]:
        a, b = tcp_channel("A", "B", session=Session(deadline=deadline))
        self.addCleanup(a.close)
        self.addCleanup(b.close)
        return a, b

    def test_a_large_send_is_whole_under_a_timer(self) -> None:
        a, b = self.pair(60)
        blob = bytes(range(256)) * 100_000
        ticks = self.tick(0.002)
        received: list[Any] = []

        def read_after_a_while() -> None:
            while ticks[0] < 20:  # the sender is interrupted in the middle of its wait
                threading.Event().wait(0.001)
            received.append(b.recv())

        reader = threading.Thread(target=read_after_a_while)
        reader.start()
        a.send(blob)
        reader.join()
        self.assertEqual(received, [blob])
        self.assertGreaterEqual(ticks[0], 20)

    def test_signals_more_frequent_than_the_deadline_do_not_stretch_it(self) -> None:
        for wait in (lambda end: end.recv(), lambda end: end.send(b"x" * 50_000_000), lambda end: end.finish()):
            _a, b = self.pair(DEADLINE)
            ticks = self.tick(DEADLINE / 100)
            with self.assertRaises(DeadlineExceeded):
                wait(b)
            self.assertGreater(ticks[0], 10)

    def test_a_sender_that_is_stopped_and_continued_sends_on(self) -> None:
        listener = Listener("127.0.0.1:0", "B", session=Session(deadline=60))
        self.addCleanup(listener.close)
        process = multiprocessing.get_context("fork").Process(target=_send_much, args=(listener.address,))
        process.start()
        assert process.pid is not None
        with listener.accept("A") as end:
            self.assertEqual(end.recv(), "first")
            for _ in range(5):
                os.kill(process.pid, signal.SIGSTOP)
                os.waitpid(process.pid, os.WUNTRACED)
                os.kill(process.pid, signal.SIGCONT)
            self.assertEqual(end.recv(), b"x" * 20_000_000)
        process.join()
        self.assertEqual(process.exitcode, 0)


def _send_much(address: tuple[str, int]) -> None:
    with connect(address, "A", "B", session=Session(deadline=60)) as end:
        end.send("first")
        end.send(b"x" * 20_000_000)


SESSION = Session(name="secret", choreography="c", deadline=30)


def greeting(text: bytes, *, session: str = "secret", choreography: str = "c", claimed: int | None = None) -> bytes:
    """A greeting with what a test wants wrong in it."""
    size = len(text) if claimed is None else claimed
    return HEADER.pack(MAGIC, VERSION, Kind.HELLO, 0, size, size, key_of(session), key_of(choreography), 0, 0) + text


class Strangers(unittest.TestCase):
    """B awaits A; strangers come first, and A is met all the same."""

    def still_meets(self, attack: Callable[[tuple[str, int]], list[socket.socket]], **options: Any) -> None:
        listener = Listener("127.0.0.1:0", "B", session=SESSION, **options)
        self.addCleanup(listener.close)

        def arrive() -> Any:
            strangers = attack(listener.address)
            try:
                with connect(listener.address, "A", "B", session=SESSION) as end:
                    end.send("it is me")
                    return end.recv()
            finally:
                for stranger in strangers:
                    stranger.close()

        def await_it() -> Any:
            with listener.accept("A") as end:
                end.send("welcome")
                return end.recv()

        self.assertEqual(run_roles({"A": arrive, "B": await_it}), {"A": "welcome", "B": "it is me"})

    def said(self, *words: bytes) -> Callable[[tuple[str, int]], list[socket.socket]]:
        def attack(address: tuple[str, int]) -> list[socket.socket]:
            strangers = [socket.create_connection(address, 30) for _ in words]
            for stranger, word in zip(strangers, words, strict=True):
                with contextlib.suppress(ConnectionError):  # the listener has heard enough
                    stranger.sendall(word)
            return strangers

        return attack

    def test_a_greeting_is_judged_by_its_header(self) -> None:
        colliding = write_text({"$": ["set", [at << 61 for at in range(1, 20_000)]]})
        self.still_meets(
            self.said(
                greeting(colliding),  # once froze the role for minutes
                greeting(b"", claimed=60_000_000),  # once took gigabytes
                greeting(b"A\0B\0", session="guess"),  # once ended the listener
                greeting(b"A\0B\0", choreography="older"),
                greeting(b"\xff\xfe"),
                greeting(b"A\0B"),
                greeting(b"A\0C\0"),
                HEADER.pack(MAGIC, VERSION, Kind.VALUE, 0, 5, 5, key_of("secret"), key_of("c"), 0, 0) + b"A\0B\0",
                HEADER.pack(MAGIC, 1, Kind.HELLO, 0, 0, 0, key_of("secret"), key_of("c"), 0, 0),
                HEADER.pack(MAGIC, VERSION, Kind.HELLO, 9, 4, 99, key_of("secret"), key_of("c"), 0, 0),
                b"GET / HTTP/1.1\r\n\r\n",
                bytes(5000),
            )
        )

    def test_a_refusal_tells_nothing_of_the_session(self) -> None:
        listener = Listener("127.0.0.1:0", "B", session=Session(name="secret", deadline=DEADLINE))
        self.addCleanup(listener.close)
        with socket.create_connection(listener.address, 30) as stranger:
            stranger.sendall(greeting(b"A\0B\0", session="guess"))
            with self.assertRaisesRegex(DeadlineExceeded, "1 × a peer of another session"):
                listener.accept("A")
            told = stranger.recv(4096)
        self.assertIn(b"session", told)
        self.assertNotIn(struct.pack(">Q", key_of("secret")), told)

    def test_the_room_cannot_be_filled(self) -> None:
        unknown = [greeting(f"Nobody{at}\0B\0".encode()) for at in range(200)]
        self.still_meets(self.said(*unknown))
        self.still_meets(self.said(*unknown), peers=["A"])

    def test_many_silent_and_slow_connections(self) -> None:
        whole = greeting(b"A\0B\0")
        self.still_meets(self.said(*([b""] * 300), *(whole[:cut] for cut in range(len(whole)))))

    def test_a_place_in_the_room_whose_owner_has_left_is_free(self) -> None:
        def leave(address: tuple[str, int]) -> list[socket.socket]:
            stranger = socket.create_connection(address, 30)
            stranger.sendall(greeting(b"A\0B\0other"))
            stranger.close()
            return []

        listener = Listener("127.0.0.1:0", "B", session=SESSION)
        self.addCleanup(listener.close)

        def arrive() -> None:
            leave(listener.address)
            with connect(listener.address, "A", "B", "first", session=SESSION) as first:
                first.recv()
            with connect(listener.address, "A", "B", "other", session=SESSION) as other:
                other.send("again")

        def await_it() -> Any:
            with listener.accept("A", "first") as end:
                end.send("go on")
            with listener.accept("A", "other") as end:
                try:
                    return end.recv()
                except PeerGone:  # the one that left was met before it was known to have left
                    pass
            with listener.accept("A", "other") as end:
                return end.recv()

        self.assertEqual(run_roles({"A": arrive, "B": await_it})["B"], "again")


class Frames(unittest.TestCase):
    def test_a_frame_over_the_limit_is_a_typed_error(self) -> None:
        """Also over 4 GiB; the memory is only claimed, never touched."""
        try:
            import numpy
        except ImportError:
            peers.missing("numpy")
        huge = numpy.zeros(5 << 30, numpy.uint8)
        with self.assertRaisesRegex(FrameTooLarge, "5368709"):
            Session().link("A", "B", "").write(Kind.VALUE, huge)
        pieces = Session(max_frame=6 << 30).link("A", "B", "").write(Kind.VALUE, huge)
        self.assertGreater(sum(map(len, pieces)), 5 << 30)
        with self.assertRaisesRegex(FrameTooLarge, "bytes of structure"):
            Session(max_text=1000).link("A", "B", "").write(Kind.VALUE, [None] * 2000)

    def test_a_frame_of_very_many_buffers_is_refused_by_its_header(self) -> None:
        reader = FrameReader()
        reader.feed(HEADER.pack(MAGIC, VERSION, Kind.VALUE, 1 << 20, 0, 8 << 20, 0, 0, 1, 0))
        with self.assertRaisesRegex(FrameTooLarge, "1048576 buffers"):
            reader.next()
        blobs = [b"x" * 600] * 10_000
        link = Session().link("A", "B", "")
        frame = read_frame(b"".join(link.write(Kind.VALUE, blobs)))
        self.assertEqual(Session().link("B", "A", "").read(frame, Kind.VALUE), blobs)

    def test_limits_that_no_header_could_carry_are_refused(self) -> None:
        for options in ({"max_text": 1 << 32}, {"max_frame": 1 << 63}, {"heartbeat": 0}, {"max_frame": 0}):
            with self.assertRaises(ValueError):
                Session(**options)  # type: ignore[arg-type]


class Heartbeats(unittest.TestCase):
    def meet(self, session: Session) -> tuple[RawPeer, TcpEndpoint]:
        listener = Listener("127.0.0.1:0", "B", session=session)
        met = run_roles(
            {"A": lambda: RawPeer(listener.address, "A", "B", session).greet(), "B": lambda: listener.accept("A")}
        )
        listener.close()
        self.addCleanup(met["A"].close)
        self.addCleanup(met["B"].close)
        return met["A"], met["B"]

    def test_a_role_that_works_for_long_is_not_taken_for_dead(self) -> None:
        a, b = tcp_channel("A", "B", session=Session(deadline=DEADLINE, heartbeat=DEADLINE / 10))
        beats = threading.Semaphore(0)
        send = a._transport.send_at_once

        def counted(pieces: Any) -> None:
            send(pieces)
            beats.release()

        a._transport.send_at_once = counted  # type: ignore[method-assign]

        def work() -> None:
            for _ in range(30):  # three deadlines
                beats.acquire()
            a.send("done")

        self.assertEqual(run_roles({"A": work, "B": b.recv}, [a, b])["B"], "done")

    def test_heartbeats_that_were_not_asked_for_do_not_stretch_a_deadline(self) -> None:
        for heartbeat, timeout in ((None, None), (60, DEADLINE)):
            raw, end = self.meet(Session(deadline=DEADLINE if timeout is None else 60, heartbeat=heartbeat))
            stop = threading.Event()
            beat = b"".join(raw.link.write_control(Kind.HEARTBEAT))

            def beating(raw: RawPeer = raw, stop: threading.Event = stop, beat: bytes = beat) -> None:
                while not stop.wait(DEADLINE / 20):
                    raw.write(beat)

            thread = threading.Thread(target=beating)
            thread.start()
            try:
                with self.assertRaises(DeadlineExceeded):
                    end.recv(timeout=timeout)
            finally:
                stop.set()
                thread.join()

    def test_heartbeats_come_between_frames_and_change_nothing(self) -> None:
        raw, end = self.meet(Session(deadline=30))
        beat = b"".join(raw.link.write_control(Kind.HEARTBEAT))
        raw.write(beat + raw.value(1) + beat * 3 + raw.value(2) + b"".join(raw.link.close_frame()))
        self.assertEqual((end.recv(), end.recv()), (1, 2))
        end.send("x")
        with self.assertRaises(CountMismatch):
            end.finish()


class Certificates(unittest.TestCase):
    """A certificate may stand for one role only."""

    def meet(self, shown: str, identities: dict[str, str]) -> dict[str, BaseException]:
        authority = Authority()
        self.addCleanup(authority.cleanup)
        theirs, ours = authority.contexts(shown), authority.contexts("beth")
        listener = Listener(
            "127.0.0.1:0", "B", session=Session(deadline=2, server_tls=ours[1], identities=identities), peers=["A"]
        )
        self.addCleanup(listener.close)

        def arrive() -> Any:
            session = Session(deadline=10, client_tls=theirs[0], identities={"B": "beth"})
            with connect(listener.address, "A", "B", session=session) as end:
                return end.recv()

        def await_it() -> None:
            with listener.accept("A") as end:
                end.send("welcome")

        try:
            run_roles({"A": arrive, "B": await_it})
        except RoleFailed as failed:
            return failed.failures
        return {}

    def test_the_right_certificate_is_let_in(self) -> None:
        self.assertEqual(self.meet("anna", {"A": "anna"}), {})

    def test_a_certificate_of_another_role_is_turned_away(self) -> None:
        failures = self.meet("mallory", {"A": "anna"})
        self.assertIsInstance(failures["A"], WrongPeer)
        self.assertIsInstance(failures["B"], DeadlineExceeded)
        self.assertIn("showed: mallory", str(failures["B"]))

    def test_a_role_without_a_known_certificate_is_turned_away(self) -> None:
        self.assertIsInstance(self.meet("anna", {"C": "carl"})["A"], WrongPeer)

    def test_a_connecting_role_checks_too(self) -> None:
        session = Session(client_tls=certificates()[0], identities={"B": "beth"})
        with self.assertRaisesRegex(WrongPeer, "showed no certificate"):
            session.check_identity("B", None)
        with self.assertRaises(ValueError):
            Session(identities={"A": "anna"})


def diverging(role: str, body: str) -> Callable[..., Any]:
    """A program as a projection writes it: numbers at its communications, and a table of their places."""
    program = types.ModuleType(f"shop_{role}")
    text = f"CHOREOGRAPHY = 'c'\nSITES = {{1: 'Shop.buy, shop.py:3', 2: 'Shop.buy, shop.py:5'}}\ndef run(end):\n{body}"
    exec(text, vars(program))  # noqa: S102
    sys.modules[program.__name__] = program
    run: Callable[..., Any] = vars(program)["run"]
    return run


class Drift(unittest.TestCase):
    """Roles that have diverged: each ends in an error that names both places, over every transport."""

    def diverge(self, one: str, other: str) -> list[dict[str, BaseException]]:
        found = []
        for make in (
            lambda: local_channel("A", "B", deadline=10),
            lambda: tcp_channel("A", "B", session=Session(deadline=10, choreography="c")),
        ):
            a, b = make()
            programs = {"A": partial(diverging("a", one), a), "B": partial(diverging("b", other), b)}
            with self.assertRaises(RoleFailed) as caught:
                run_roles(programs, [a, b])
            found.append(caught.exception.failures)
        return found

    def test_different_sites(self) -> None:
        for failures in self.diverge("  end.send(5, site=1)", "  return end.recv(site=2)"):
            self.assertEqual(
                {role: type(error) for role, error in failures.items()}, {"A": PeerAborted, "B": SiteMismatch}
            )
            self.assertRegex(
                str(failures["B"]), r"B is at site 2 \(Shop.buy, shop.py:5\) and A is at site 1 \(Shop.buy, shop.py:3\)"
            )
            self.assertEqual((failures["B"].here, failures["B"].there), (2, 1))  # type: ignore[attr-defined]

    def test_a_label_where_a_value_is_awaited_names_the_sites(self) -> None:
        a, b = local_channel("A", "B", deadline=10)
        a.select(Answer.YES, site=1)
        with self.assertRaisesRegex(SiteMismatch, "site 2 .*site 1|site 2"):
            b.recv(site=2)
        a, b = local_channel("A", "B", deadline=10)
        a.select(Answer.YES, site=1)
        with self.assertRaises(KindMismatch):
            b.recv(site=1)

    def test_a_number_that_no_header_could_carry_is_refused(self) -> None:
        for make in (lambda: tcp_channel("A", "B", session=Session(deadline=10)), lambda: memory_channel("A", "B")):
            a, b = make()
            for site in (-1, 1 << 31, 1 << 40):
                with self.assertRaises(ValueError):
                    a.send(1, site=site)
            a.send(2, site=0)  # none
            self.assertEqual(b.recv(site=7), 2)
            a.close()
            b.close()

    def test_a_message_that_is_never_read(self) -> None:
        for failures in self.diverge("  end.send(5, site=1)\n  end.send(6, site=2)", "  return end.recv(site=1)"):
            self.assertEqual(set(failures), {"A", "B"})
            for error in failures.values():
                self.assertIsInstance(error, (CountMismatch, PeerAborted))
                self.assertIn("shop.py:3", str(error))
                self.assertIn("shop.py:5", str(error))

    def test_a_role_that_ends_while_its_peer_waits(self) -> None:
        for failures in self.diverge("  end.send(5, site=1)", "  end.recv(site=1)\n  end.recv(site=2)"):
            self.assertIsInstance(failures["B"], PeerEnded)
            self.assertIn("shop.py:5", str(failures["B"]))
            self.assertIn("shop.py:3", str(failures["B"]))
            self.assertIsInstance(failures["A"], PeerAborted)

    def test_a_close_that_counts_otherwise(self) -> None:
        session = Session(name="s", choreography="c", deadline=10)
        listener = Listener("127.0.0.1:0", "B", session=session)
        met = run_roles(
            {"A": lambda: RawPeer(listener.address, "A", "B", session).greet(), "B": lambda: listener.accept("A")}
        )
        listener.close()
        raw, end = met["A"], met["B"]
        self.addCleanup(raw.close)
        self.addCleanup(end.close)
        end.send(1, site=2)
        raw.write(b"".join(raw.link.close_frame()))
        with self.assertRaisesRegex(CountMismatch, "B sent A 1 messages, the last at site 2.*received 0"):
            end.finish()

    def test_a_close_of_another_shape(self) -> None:
        session = Session(name="s", choreography="c", deadline=10)
        listener = Listener("127.0.0.1:0", "B", session=session)
        met = run_roles(
            {"A": lambda: RawPeer(listener.address, "A", "B", session).greet(), "B": lambda: listener.accept("A")}
        )
        listener.close()
        self.addCleanup(met["A"].close)
        self.addCleanup(met["B"].close)
        met["A"].write(b"".join(write_frame(Kind.CLOSE, key_of("s"), key_of("c"), 1, 0, b"bye")))
        with self.assertRaisesRegex(Exception, "damaged"):
            met["B"].finish()


if __name__ == "__main__":
    unittest.main()
