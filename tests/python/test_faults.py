"""What a bad network, a bad peer or a dead one can do: a typed error at every role, never a hang."""

import asyncio
import multiprocessing
import os
import signal
import socket
import threading
import unittest
from collections.abc import Callable
from typing import Any

import peers  # noqa: F401 - puts the package on the path
from pytrope.choreo import (
    AsyncListener,
    ChoreoError,
    ChoreographyMismatch,
    DeadlineExceeded,
    DecodeError,
    FrameError,
    FrameTooLarge,
    KindMismatch,
    Listener,
    PeerAborted,
    PeerEnded,
    PeerGone,
    ProtocolError,
    RoleFailed,
    SequenceError,
    Session,
    SessionMismatch,
    TcpEndpoint,
    WrongPeer,
    connect,
    local_channel,
    run_roles,
)
from pytrope.choreo.frames import HEADER, VERSION, FrameReader, Kind, key_of, write_frame
from pytrope.choreo.messagepack import write_text
from talk import DEADLINE, Answer, RawPeer

SESSION = Session(name="s", choreography="c", deadline=10, max_frame=4096)


def header(
    *, version: int = VERSION, kind: int = Kind.VALUE, count: int = 0, text: int | None = None, size: int = 0
) -> bytes:
    """The header of the first frame of A, with what a test wants wrong in it."""
    told = size if text is None else text
    return HEADER.pack(b"PTRO", version, kind, count, told, size, key_of("s"), key_of("c"), 1, 0)


def frame(text: bytes, *, kind: Kind = Kind.VALUE, session: str = "s", choreography: str = "c") -> bytes:
    """The first frame of A."""
    return b"".join(write_frame(kind, key_of(session), key_of(choreography), 1, 0, text))


class BadFrames(unittest.TestCase):
    """B listens; A greets properly, then misbehaves."""

    def meet(self, session: Session = SESSION) -> tuple[RawPeer, TcpEndpoint]:
        listener = Listener("127.0.0.1:0", "B", session=session)
        met = run_roles(
            {"A": lambda: RawPeer(listener.address, "A", "B", session).greet(), "B": lambda: listener.accept("A")}
        )
        listener.close()
        self.addCleanup(met["A"].close)
        self.addCleanup(met["B"].close)
        return met["A"], met["B"]

    def breaks(self, end: TcpEndpoint, error: type[Exception], text: str = "") -> None:
        with self.assertRaisesRegex(error, text):
            end.recv()
        with self.assertRaises(error):  # broken for good, in both directions
            end.recv()
        with self.assertRaises(error):
            end.send(1)

    def test_truncated(self) -> None:
        for cut in (1, HEADER.size - 1, HEADER.size, HEADER.size + 3):
            raw, end = self.meet()
            raw.write(raw.value("hello")[:cut])
            raw.close()
            self.breaks(end, FrameError, "truncated")

    def test_a_frame_that_never_ends_is_a_deadline(self) -> None:
        raw, end = self.meet(Session(deadline=DEADLINE))
        raw.write(raw.value("hello")[:-1])
        self.breaks(end, DeadlineExceeded)

    def test_a_peer_that_drips_bytes_does_not_stretch_the_deadline(self) -> None:
        raw, end = self.meet(Session(deadline=DEADLINE))
        stop = threading.Event()

        def drip() -> None:
            for byte in raw.value("x" * 1000):
                if stop.wait(DEADLINE / 10):
                    return
                raw.write(bytes([byte]))

        thread = threading.Thread(target=drip)
        thread.start()
        self.breaks(end, DeadlineExceeded)
        stop.set()
        thread.join()

    def test_oversized(self) -> None:
        raw, end = self.meet()
        raw.write(header(size=1 << 40, text=0))  # recognised by its header, before any of the body is awaited
        self.breaks(end, FrameTooLarge)

    def test_garbage(self) -> None:
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 100, b"\x16\x03\x01", b"PTRX" + bytes(60)):
            raw, end = self.meet()
            raw.write(garbage)
            self.breaks(end, FrameError, "begins no frame")

    def test_another_version_and_an_unknown_kind(self) -> None:
        for version, kind in ((9, Kind.VALUE), (VERSION, 77)):
            raw, end = self.meet()
            raw.write(header(version=version, kind=kind))
            self.breaks(end, FrameError)

    def test_damaged_payloads(self) -> None:
        for tree in ({"$": ["enum", "Nothing", "X"]}, {"$": ["bytes", 3]}, {"$": []}):
            raw, end = self.meet()
            raw.write(frame(write_text(tree)))
            self.breaks(end, DecodeError)

    def test_a_table_of_buffers_that_does_not_fit(self) -> None:
        for count, text, body in ((5, 0, b"123"), (1, 2, bytes(7) + b"\xff12"), (0, 9, b"1"), (1, 0, bytes(12))):
            raw, end = self.meet()
            raw.write(header(count=count, text=text, size=len(body)) + body)
            self.breaks(end, FrameError, "shorter|longer")

    def test_replayed(self) -> None:
        raw, end = self.meet()
        frame = raw.value("pay 10")
        raw.write(frame + frame)
        self.assertEqual(end.recv(), "pay 10")
        self.breaks(end, SequenceError, "replayed")

    def test_reordered_and_lost(self) -> None:
        raw, end = self.meet()
        first, second = raw.value(1), raw.value(2)
        raw.write(second + first)
        self.breaks(end, SequenceError, "lost or reordered")

    def test_a_frame_of_another_session_or_choreography(self) -> None:
        raw, end = self.meet()
        raw.write(frame(b"\x01", session="old"))
        self.breaks(end, SessionMismatch)
        raw, end = self.meet()
        raw.write(frame(b"\x01", choreography="older"))
        self.breaks(end, ChoreographyMismatch)

    def test_a_second_greeting_and_a_label_that_is_none(self) -> None:
        raw, end = self.meet()
        raw.write(raw.hello())
        self.breaks(end, KindMismatch)
        for no_label in ("YES", 1 << 100_000):  # the latter is too long to be printed
            raw, end = self.meet(Session(name="s", choreography="c", deadline=10))
            raw.write(raw.label(no_label))
            with self.assertRaises(KindMismatch):
                end.offer()

    def test_an_abort_without_a_reason(self) -> None:
        raw, end = self.meet()
        raw.write(frame(b"", kind=Kind.ABORT))
        self.breaks(end, PeerAborted, "no reason")

    def test_a_peer_that_does_not_read_is_a_deadline_for_the_sender(self) -> None:
        _raw, end = self.meet(Session(deadline=DEADLINE))
        with self.assertRaises(DeadlineExceeded):
            for _ in range(1000):
                end.send(b"x" * 1_000_000)

    def test_a_peer_that_vanished_is_noticed_by_the_sender(self) -> None:
        raw, end = self.meet()
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        raw.close()
        with self.assertRaises(PeerGone):
            for _ in range(1000):
                end.send("anyone?")

    def test_a_peer_that_ended_first_and_left_has_ended_well(self) -> None:
        raw, end = self.meet()
        raw.write(raw.value(1) + b"".join(raw.link.close_frame()))
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        self.assertEqual(end.recv(), 1)
        raw.socket.shutdown(socket.SHUT_RDWR)
        end.finish()

    def test_a_sender_reads_why_its_peer_has_left(self) -> None:
        raw, end = self.meet()
        pieces = raw.link.abort_frame("A", "no more")
        assert pieces is not None
        raw.write(b"".join(pieces))
        raw.socket.shutdown(socket.SHUT_RDWR)
        with self.assertRaises((PeerAborted, PeerGone)):
            for _ in range(1000):
                end.send("anyone?")


class RandomBytes(unittest.TestCase):
    def test_any_bytes_are_frames_a_typed_error_or_not_enough(self) -> None:
        import random

        source = random.Random(7)
        good = b"".join(write_frame(Kind.VALUE, 1, 2, 3, 4, b'["x"]', [b"ab", b"c"]))
        for _ in range(5000):
            data = bytearray(good * 2)
            for _ in range(source.randrange(4)):
                data[source.randrange(len(data))] = source.randrange(256)
            reader = FrameReader(4096)
            try:
                while data:
                    cut = source.randrange(1, 40)
                    reader.feed(bytes(data[:cut]))
                    del data[:cut]
                    while reader.next() is not None:
                        pass
            except ProtocolError:
                pass


class WrongPeers(unittest.TestCase):
    def fails(self, theirs: Session, ours: Session, role: str = "A", channel: str = "") -> dict[str, BaseException]:
        listener = Listener("127.0.0.1:0", "B", session=ours)
        self.addCleanup(listener.close)
        with self.assertRaises(RoleFailed) as caught:
            run_roles(
                {
                    "A": lambda: connect(listener.address, role, "B", channel, session=theirs),
                    "B": lambda: listener.accept("A"),
                }
            )
        return caught.exception.failures

    def test_another_session(self) -> None:
        failures = self.fails(Session(name="monday"), Session(name="tuesday", deadline=DEADLINE))
        self.assertEqual(
            {role: type(error) for role, error in failures.items()}, {"A": SessionMismatch, "B": DeadlineExceeded}
        )

    def test_another_choreography(self) -> None:
        failures = self.fails(Session(choreography="v1"), Session(choreography="v2", deadline=DEADLINE))
        self.assertEqual(
            {role: type(error) for role, error in failures.items()},
            {"A": ChoreographyMismatch, "B": DeadlineExceeded},
        )

    def test_another_role_or_channel_is_turned_away(self) -> None:
        for role, channel in (("Mallory", ""), ("A", "other")):
            failures = self.fails(Session(deadline=5), Session(deadline=DEADLINE), role, channel)
            self.assertIsInstance(failures["A"], (PeerAborted, WrongPeer))
            self.assertIsInstance(failures["B"], DeadlineExceeded)

    def test_strangers_do_not_keep_the_awaited_peer_out(self) -> None:
        session = Session(deadline=20)
        listener = Listener("127.0.0.1:0", "B", session=session)
        self.addCleanup(listener.close)

        def arrive() -> Any:
            for noise in (b"GET / HTTP/1.1\r\n\r\n", b"", bytes(200)):
                with socket.create_connection(listener.address) as stranger:
                    stranger.sendall(noise)
            with connect(listener.address, "A", "B", session=session) as end:
                end.send("it is me")
                return end.recv()

        def await_it() -> Any:
            with listener.accept("A") as end:
                end.send("welcome")
                return end.recv()

        self.assertEqual(run_roles({"A": arrive, "B": await_it}), {"A": "welcome", "B": "it is me"})

    def test_silent_strangers_do_not_keep_the_awaited_peer_waiting(self) -> None:
        """More of them than the deadline could bear, were they heard one after the other."""
        session = Session(deadline=30)
        listener = Listener("127.0.0.1:0", "B", session=session)
        self.addCleanup(listener.close)
        silent = [socket.create_connection(listener.address) for _ in range(20)]

        def arrive() -> None:
            with connect(listener.address, "A", "B", session=session) as end:
                end.send("it is me")

        def await_it() -> Any:
            with listener.accept("A") as end:
                return end.recv()

        self.assertEqual(run_roles({"A": arrive, "B": await_it})["B"], "it is me")
        for stranger in silent:
            stranger.close()

    def test_a_listener_that_is_closed_frees_who_waits_there(self) -> None:
        listener = Listener("127.0.0.1:0", "B", session=Session(deadline=60))
        with self.assertRaisesRegex(RoleFailed, "B: ChoreoError: B listens no more"):
            run_roles({"A": listener.close, "B": lambda: listener.accept("A")})

    def test_nobody_listens_and_nobody_comes(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as unused:
            address = unused.getsockname()
        with self.assertRaises(DeadlineExceeded):
            connect(address, "A", "B", session=Session(deadline=DEADLINE))
        listener = Listener("127.0.0.1:0", "B", session=Session(deadline=DEADLINE))
        with self.assertRaisesRegex(DeadlineExceeded, "still awaits A"):
            listener.accept("A")
        listener.close()

    def test_asyncio_ends_refuse_bad_bytes(self) -> None:
        async def meet(make: Callable[[RawPeer], bytes]) -> Exception | None:
            listener = await AsyncListener.open("127.0.0.1:0", "B", session=SESSION)
            raw, end = await asyncio.gather(
                asyncio.to_thread(lambda: RawPeer(listener.address, "A", "B", SESSION).greet()), listener.accept("A")
            )
            raw.write(make(raw))
            raw.close()
            try:
                await end.recv()
            except ChoreoError as error:
                return error
            finally:
                await end.close()
                await listener.close()
            return None

        big = header(size=1 << 40, text=0)
        stray = frame(b"\x01", session="old")
        cases: list[tuple[Callable[[RawPeer], bytes], type[Exception]]] = [
            (lambda raw: raw.value("hello")[:-1], FrameError),
            (lambda raw: b"GET / HTTP/1.1", FrameError),
            (lambda raw: big, FrameTooLarge),
            (lambda raw: stray, SessionMismatch),
            (lambda raw: b"", PeerGone),
            (lambda raw: raw.label(Answer.YES), KindMismatch),
        ]
        for make, error in cases:
            self.assertIsInstance(asyncio.run(meet(make)), error)

    def test_asyncio_ends_refuse_the_same(self) -> None:
        async def meet() -> None:
            listener = await AsyncListener.open("127.0.0.1:0", "B", session=SESSION)
            accepting = asyncio.create_task(listener.accept("A"))
            raw = await asyncio.to_thread(lambda: RawPeer(listener.address, "A", "B", SESSION).greet())
            end = await accepting
            frame = raw.value(1)
            raw.write(frame + frame)
            self.assertEqual(await end.recv(), 1)
            with self.assertRaises(SequenceError):
                await end.recv()
            raw.close()
            await end.close()
            stranger = Session(name="other", deadline=5)
            accepting = asyncio.create_task(listener.accept("A"))
            with self.assertRaises(SessionMismatch):
                await asyncio.to_thread(lambda: connect(listener.address, "A", "B", session=stranger))
            # The stranger had no effect on who is awaited.
            again = await asyncio.to_thread(lambda: RawPeer(listener.address, "A", "B", SESSION).greet())
            end = await accepting
            again.close()
            await end.close()
            await listener.close()

        asyncio.run(meet())


def _middle(address: tuple[str, int]) -> None:
    """B in a process of its own: takes one message from A, one from C, and then is killed."""
    session = Session(deadline=30)
    with connect(address, "B", "A", session=session) as a, connect(address, "B", "C", session=session) as c:
        a.send(os.getpid())
        a.recv()
        c.recv()
        a.recv()


class KilledPeer(unittest.TestCase):
    def test_a_process_killed_mid_protocol_is_an_error_at_every_other_role(self) -> None:
        """A and C talk to B and to each other; D only talks to C, and still learns of it."""
        session = Session(deadline=30)
        # One listening socket plays A's and C's address in turn, so that B needs to know only one.
        listener_a = Listener("127.0.0.1:0", "A", session=session)
        process = multiprocessing.get_context("spawn").Process(target=_middle, args=(listener_a.address,))
        process.start()
        a = listener_a.accept("B")
        listener_a.role = "C"
        c = listener_a.accept("B")
        listener_a.close()
        c_to_d, d = local_channel("C", "D", deadline=30)

        def program_a() -> None:
            victim = a.recv()
            a.send("go on")
            os.kill(victim, signal.SIGKILL)
            a.recv()

        def program_c() -> None:
            c.send("hello")
            c.recv()

        with self.assertRaises(RoleFailed) as caught:
            run_roles({"A": program_a, "C": program_c, "D": d.recv}, [a, c, c_to_d, d])
        process.join()
        failures = caught.exception.failures
        self.assertEqual(set(failures), {"A", "C", "D"})
        self.assertIsInstance(failures["A"], PeerGone)
        self.assertIsInstance(failures["C"], PeerGone)
        self.assertIsInstance(failures["D"], PeerAborted)

    def test_a_thread_that_dies_in_process_is_an_error_at_every_other_role(self) -> None:
        a, b = local_channel("A", "B", deadline=30)
        b2, c = local_channel("B", "C", deadline=30)

        def dies() -> None:
            a.recv()
            raise SystemExit("killed")

        with self.assertRaises(RoleFailed) as caught:
            run_roles({"A": dies, "B": lambda: [b.send(1), b.recv()], "C": c.recv}, [a, b, b2, c])
        self.assertEqual(
            {role: type(e) for role, e in caught.exception.failures.items()},
            {"A": SystemExit, "B": PeerAborted, "C": PeerAborted},
        )

    def test_a_role_that_ends_early_is_an_error_for_those_who_wait(self) -> None:
        a, b = local_channel("A", "B", deadline=30)
        with self.assertRaises(RoleFailed) as caught:
            run_roles({"A": lambda: None, "B": b.offer}, [a, b])
        self.assertEqual(
            {role: type(e) for role, e in caught.exception.failures.items()}, {"A": PeerAborted, "B": PeerEnded}
        )

    def test_a_slow_peer_fails_all_within_their_deadlines(self) -> None:
        a, b = local_channel("A", "B", deadline=DEADLINE)
        b2, c = local_channel("B", "C", deadline=60)
        gate = threading.Event()

        def slow() -> None:
            gate.wait(60)
            a.select(Answer.YES)

        def impatient() -> None:
            try:
                b.offer()
            finally:
                gate.set()

        with self.assertRaises(RoleFailed) as caught:
            run_roles({"A": slow, "B": impatient, "C": c.recv}, [a, b, b2, c])
        failures = caught.exception.failures
        self.assertIsInstance(failures["B"], DeadlineExceeded)
        self.assertIsInstance(failures["C"], PeerAborted)


if __name__ == "__main__":
    unittest.main()
