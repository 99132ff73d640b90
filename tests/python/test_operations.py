"""Running roles where they belong: addresses for all, containers, traces, diagrams of real runs, injected faults."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import peers
from pytrope.choreo import (
    ChoreoError,
    CountMismatch,
    DeadlineExceeded,
    DecodeError,
    FrameError,
    RoleFailed,
    SequenceError,
    local_channel,
    run_roles,
)
from pytrope.choreo.deploy import Deployment
from pytrope.choreo.diagram import draw_sequence
from pytrope.choreo.faults import Corrupt, Crash, Cut, Drop, Duplicate, InjectedCrash, Swap
from pytrope.choreo.observed import Event, Recorder
from pytrope.choreo.runner import Run, find_target
from talk import DEADLINE, Answer
from test_runner import CASES, ROUND, TALK, run, start, talk

PING_PONG = peers.EXAMPLES / "ping_pong.py"


def free_ports(count: int) -> list[int]:
    import socket

    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [made.getsockname()[1] for made in sockets]
    finally:
        for made in sockets:
            made.close()


def finish(processes: "list[subprocess.Popen[str]]") -> list[tuple[int, str, str]]:
    return [(process.wait(120), *process.communicate()) for process in processes]


class Peers(unittest.TestCase):
    """`--role A --peers …`: one table of addresses, the same at every role."""

    def play(self, *more: str, generated: Path = CASES, **environment: str) -> list[tuple[int, str, str]]:
        a, b, c = free_ports(3)
        table = f"A=127.0.0.1:{a},B=127.0.0.1:{b},C=127.0.0.1:{c}"
        common = ["run", str(TALK), "Talk.round", "--generated", str(generated), "--deadline", "60", *more]
        if not environment:
            common += ["--peers", table]
        given = {"A": ["box=Box(5)"], "B": ["bonus=1"], "C": ["bonus=100"]}
        return finish(
            [
                start(*common, "--role", role, "--at", role, *values, **{name: table for name in environment})
                for role, values in given.items()
            ]
        )

    WANTED = (
        (0, "A: (Box(content=111), ELSEWHERE)\n", ""),
        (0, "B: (ELSEWHERE, 2)\n", ""),
        (0, "C: (ELSEWHERE, ELSEWHERE)\n", ""),
    )

    def test_over_tcp(self) -> None:
        self.assertEqual(self.play(), list(self.WANTED))

    def test_from_the_environment(self) -> None:
        self.assertEqual(self.play(PYTROPE_PEERS=""), list(self.WANTED))

    def test_with_heartbeats(self) -> None:
        self.assertEqual(self.play("--heartbeat", "0.05"), list(self.WANTED))

    def test_over_zeromq(self) -> None:
        if not peers.installed("zmq"):
            peers.missing("pyzmq")
        self.assertEqual(self.play("--transport", "zmq"), list(self.WANTED))

    def test_over_grpc(self) -> None:
        if not peers.installed("grpc"):
            peers.missing("grpcio")
        ended = self.play("--transport", "grpc")
        self.assertEqual([(code, out) for code, out, _ in ended], [(code, out) for code, out, _ in self.WANTED])

    def test_the_asyncio_projection(self) -> None:
        self.assertEqual(self.play("--async", generated=CASES / "asyncio"), list(self.WANTED))
        code, out, err = run("run", str(TALK), *ROUND, "--async", "--generated", str(CASES / "asyncio"))
        self.assertEqual((code, out, err), (0, "".join(out for _, out, _ in self.WANTED), ""))

    def test_every_rank_of_mpi_is_a_role(self) -> None:
        mpiexec = peers.tool("mpiexec")
        command = [sys.executable, "-m", "pytrope.choreo", "run", str(TALK), *ROUND, "--generated", str(CASES)]
        environment = {**os.environ, "PYTHONPATH": str(peers.ROOT / "python")}
        done = subprocess.run(
            [mpiexec, "-n", "3", *command, "--transport", "mpi", "--deadline", "60"],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        self.assertEqual(sorted(done.stdout.splitlines(keepends=True)), [out for _, out, _ in self.WANTED], done.stderr)

    def test_wrong_tables_say_what_is_wrong(self) -> None:
        for arguments, code, text in [
            (["--peers", "A"], 2, "'A' is not ROLE=HOST:PORT"),
            (["--peers", "A=nowhere"], 2, "'nowhere' is not HOST:PORT"),
            (["--role", "A", "--peers", "X=:1"], 1, "X is not a role of Talk; the roles are A, B, C"),
            (["--transport", "pigeon"], 1, "there is no transport 'pigeon'"),
            (["--tls-name", "A=anna"], 2, "this session has no TLS"),
            (["--async", "--events", "x"], 2, "--async runs over TCP"),
        ]:
            with self.subTest(arguments):
                got, out, err = talk("Talk.round", "--at", "A", "box=Box(1)", *arguments)
                self.assertEqual((got, out), (code, ""))
                self.assertIn(text, err)

    def test_the_target_may_be_left_out_where_there_is_only_one(self) -> None:
        self.assertEqual(find_target(PING_PONG), "PingPong.play")
        with self.assertRaisesRegex(ChoreoError, r"which method of talk.py\? Name one of: Talk.round, Talk.fail"):
            find_target(TALK)


class Containers(unittest.TestCase):
    def setUp(self) -> None:
        if not peers.installed("yaml"):
            peers.missing("PyYAML")
        import yaml

        self.yaml = yaml
        self.deployment = Deployment(
            TALK, "Talk.round", ["A", "B", "C"], "image:1", 9000, "s", {"A": ["--at", "A", "box=Box(5)"]}
        )

    def test_the_commands_of_the_containers_play_the_choreography(self) -> None:
        """What the file says each container runs, with hosts and paths of this machine in their place."""
        code, out, _ = run(
            *("compose", str(TALK), "Talk.round", "--image", "image:1", "--session", "s"),
            *("--at", "A", "box=Box(5)", "--at", "B", "bonus=1", "--at", "C", "bonus=100"),
        )
        self.assertEqual(code, 0)
        services = self.yaml.safe_load(out)["services"]
        ports = dict(zip(services, free_ports(3), strict=True))
        processes = []
        for name, service in services.items():
            (mount,) = service["volumes"]
            here, there, _ = mount.split(":")
            words = [word.replace(f"{there}/", f"{here}/") for word in service["command"]]
            for other, port in ports.items():
                words = [word.replace(f"={other}:9000", f"=127.0.0.1:{port}") for word in words]
            words = [word.replace("0.0.0.0:9000", f"127.0.0.1:{ports[name]}") for word in words]
            self.assertEqual(words[:4], ["python", "-m", "pytrope.choreo", "run"])
            processes.append(start(*words[3:], "--generated", str(CASES), "--deadline", "60"))
        self.assertEqual([(code, out) for code, out, _ in finish(processes)], [(c, o) for c, o, _ in Peers.WANTED])

    def test_kubernetes_runs_the_same_commands(self) -> None:
        parts = list(self.yaml.safe_load_all(self.deployment.kubernetes()))
        self.assertEqual([part["kind"] for part in parts], ["ConfigMap", *(["Service", "Job"] * 3)])
        self.assertEqual(parts[0]["data"], {"talk.py": TALK.read_text()})
        for role, service, job in zip("ABC", parts[1::2], parts[2::2], strict=True):
            pod = job["spec"]["template"]
            self.assertEqual(pod["spec"]["containers"][0]["command"], self.deployment.command_of(role))
            self.assertLessEqual(service["spec"]["selector"].items(), pod["metadata"]["labels"].items())
            self.assertEqual(service["metadata"]["name"], role.lower())

    def test_roles_whose_hosts_would_have_one_name_are_refused(self) -> None:
        with self.assertRaisesRegex(ChoreoError, "same service name"):
            Deployment(TALK, "Talk.round", ["A", "a"], "image")


class Diagrams(unittest.TestCase):
    def test_a_run_draws_what_was_sent(self) -> None:
        recorder = Recorder()
        run_it = Run(TALK, "Talk.round", CASES)
        run_it.simulate(
            {"A": {"box": "Box(5)"}, "B": {"bonus": "1"}, "C": {"bonus": "100"}},
            transport="memory",
            watch=recorder.watch,
        )
        self.assertEqual(
            draw_sequence(recorder.events, run_it.roles),
            "sequenceDiagram\n    participant A\n    participant B\n    participant C\n"
            "    A->>B: Box(content=5)\n    B->>C: Box(content=11)\n    C->>A: Box(content=111)\n",
        )

    def test_the_files_of_three_processes_make_one_diagram(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            a, b, c = free_ports(3)
            table = f"A=127.0.0.1:{a},B=127.0.0.1:{b},C=127.0.0.1:{c}"
            given = {"A": "box=Box(5)", "B": "bonus=1", "C": "bonus=100"}
            common = ["run", str(TALK), "Talk.round", "--generated", str(CASES), "--peers", table, "--deadline", "60"]
            ended = finish(
                [
                    start(*common, "--role", role, "--at", role, value, "--events", f"{folder}/{role}.jsonl")
                    for role, value in given.items()
                ]
            )
            self.assertEqual([code for code, _, _ in ended], [0, 0, 0], ended)
            code, out, err = run("diagram", *(f"{folder}/{role}.jsonl" for role in "CAB"))
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(
                out.splitlines()[4:],
                [f"    {way}: Box(content={n})" for way, n in (("A->>B", 5), ("B->>C", 11), ("C->>A", 111))],
            )
            Path(folder, "bad.jsonl").write_text("{}\n")
            self.assertEqual(run("diagram", f"{folder}/bad.jsonl")[0], 1)
            self.assertEqual(run("diagram", f"{folder}/none.jsonl")[0], 2)

    def test_a_message_that_did_not_arrive_ends_in_a_cross(self) -> None:
        events = [
            Event("A", "B", "c", "select", 1, 4, 2.0, "L.YES; #1"),
            Event("B", "A", "c", "offer", 1, 4, 1.0, "L.YES"),
            Event("A", "B", "c", "send", 2, None, 3.0, "<x>"),
        ]
        self.assertEqual(
            draw_sequence(events).splitlines()[3:], ["    A-->>B: L.YES#59; #35;1 [4]", "    A-xB: #lt;x#gt;"]
        )


class Telemetry(unittest.TestCase):
    def test_each_message_is_a_span_at_each_of_its_roles(self) -> None:
        if not peers.installed("opentelemetry.sdk"):
            peers.missing("opentelemetry-sdk")
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        from pytrope.choreo.telemetry import trace_endpoint

        kept = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(kept))
        tracer = provider.get_tracer("test")
        a, b = (trace_endpoint(end, "ch", session="s", tracer=tracer) for end in local_channel("A", "B", deadline=10))

        def ask() -> Any:
            a.send(1, site=7)
            return a.offer(site=8)

        def answer() -> None:
            b.recv(site=7)
            b.select(Answer.YES, site=8)

        self.assertEqual(run_roles({"A": ask, "B": answer}, [a, b])["A"], Answer.YES)
        told = {
            (span.name, span.attributes["pytrope.number"], span.attributes["pytrope.site"])
            for span in kept.get_finished_spans()
        }
        self.assertEqual(
            told,
            {
                ("send A → B", 1, "site 7"),
                ("recv B ← A", 1, "site 7"),
                ("select B → A", 1, "site 8"),
                ("offer A ← B", 1, "site 8"),
            },
        )

    def test_a_failed_receive_is_a_failed_span(self) -> None:
        if not peers.installed("opentelemetry.sdk"):
            peers.missing("opentelemetry-sdk")
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        from pytrope.choreo.telemetry import trace_endpoint

        kept = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(kept))
        a = trace_endpoint(local_channel("A", "B", deadline=DEADLINE)[0], tracer=provider.get_tracer("test"))
        with self.assertRaises(DeadlineExceeded):
            a.recv(timeout=0.01)
        (span,) = kept.get_finished_spans()
        self.assertFalse(span.status.is_ok)


class Faults(unittest.TestCase):
    def harmed(self, *faults: Any) -> dict[str, BaseException]:
        arguments = {"A": {"box": "Box(5)"}, "B": {"bonus": "1"}, "C": {"bonus": "100"}}
        with self.assertRaises(RoleFailed) as caught:
            Run(TALK, "Talk.round", CASES).simulate(arguments, transport="memory", faults=faults, deadline=DEADLINE)
        return caught.exception.failures

    def test_every_fault_is_a_typed_error_at_every_role(self) -> None:
        everywhere = {"A", "B", "C"}
        for fault, first, failed in [
            (Drop("A", "B"), DeadlineExceeded, everywhere),
            (Swap("A", "B"), DeadlineExceeded, everywhere),
            (Corrupt("A", "B"), DecodeError, everywhere),
            (Cut("A", "B"), FrameError, everywhere),
            (Drop("C", "A"), (DeadlineExceeded, SequenceError), everywhere),
            (Crash("B"), InjectedCrash, everywhere),
            (Crash("B", 2), InjectedCrash, everywhere),
            # It is the receiver that has one message too many, after the others have ended.
            (Duplicate("A", "B"), (CountMismatch, SequenceError), {"B"}),
        ]:
            with self.subTest(fault):
                failures = self.harmed(fault)
                self.assertLessEqual(failed, set(failures))
                self.assertIsInstance(next(iter(failures.values())), first)
                for role, error in failures.items():
                    self.assertIsInstance(error, (ChoreoError, InjectedCrash), role)

    def test_a_run_without_faults_is_one_without_failures(self) -> None:
        arguments = {"A": {"box": "Box(5)"}, "B": {"bonus": "1"}, "C": {"bonus": "100"}}
        results = Run(TALK, "Talk.round", CASES).simulate(arguments, transport="memory")
        self.assertEqual(repr(results["A"][0]), "Box(content=111)")


class Plugin(unittest.TestCase):
    def test_a_test_file_runs_a_choreography_with_faults(self) -> None:
        if not peers.installed("pytest"):
            peers.missing("pytest")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "ping_pong.py").write_text(PING_PONG.read_text())
            Path(folder, "test_ping_pong.py").write_text(
                """from pytrope.choreo import RoleFailed
from pytrope.choreo.faults import Crash, Drop


def test_it_counts(choreography):
    run = choreography("ping_pong.py", "PingPong.play", at={"Ping": {"rounds": 3}})
    assert run.results["Ping"][0] == 6
    assert not run.failures
    assert run.diagram.count("->>Pong: ") >= 3


def test_a_lost_ball_fails_both(choreography):
    run = choreography("ping_pong.py", "PingPong.play", at={"Ping": {"rounds": 3}}, faults=[Drop("Pong", "Ping")], deadline=0.3)
    assert set(run.failures) == {"Ping", "Pong"}


def test_a_crash_fails_both(choreography):
    run = choreography("ping_pong.py", "PingPong.play", at={"Ping": {"rounds": 3}}, faults=[Crash("Pong", 2)])
    assert type(run.failures["Pong"]).__name__ == "InjectedCrash"
    assert type(run.failures["Ping"]).__name__ == "PeerAborted"
"""
            )
            environment = {**os.environ, "PYTHONPATH": str(peers.ROOT / "python"), "PYTROPE_BIN": peers.binary()}
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pytest",
                    "-q",
                    "-p",
                    "pytrope.choreo.pytest_plugin",
                    "-p",
                    "no:cacheprovider",
                    folder,
                ],
                capture_output=True,
                text=True,
                env=environment,
                check=False,
            )
        self.assertIn("3 passed", done.stdout, done.stdout + done.stderr)


class FrameFuzzer(unittest.TestCase):
    def test_damaged_frames_are_typed_errors(self) -> None:
        done = subprocess.run(
            [sys.executable, str(peers.ROOT / "tests" / "choreo" / "fuzz_frames.py"), "--cases", "4000"],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.stdout.splitlines()[-1:], ["4000 passed, 0 failed"], done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
