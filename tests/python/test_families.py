"""Families of roles from the command line: any number of members, in one process or each in its own."""

import os
import tempfile
import unittest
from pathlib import Path

import peers
from test_operations import finish, free_ports
from test_runner import run, start

FAMILIES = peers.EXAMPLES / "families"
SERVER = str(FAMILIES / "parameter_server.py")
SHARD = ["rows=np.array([[0.0, 1.0], [1.0, 1.0]])", "answers=np.array([1.0, 3.0])"]
GIVEN = ["--at", "Server", "start=np.zeros(2)", "tolerance=1e-3", "--at", "Workers", *SHARD]


class Families(unittest.TestCase):
    def setUp(self) -> None:
        os.environ["PYTROPE_BIN"] = peers.binary()

    def test_any_number_of_members_over_every_transport(self) -> None:
        for count in (1, 4):
            wanted = None
            for transport in ("local", "memory", "tcp"):
                code, out, err = run(
                    "run", SERVER, "--family", f"Workers={count}", *GIVEN, "--transport", transport, "--deadline", "60"
                )
                self.assertEqual((code, err), (0, ""))
                self.assertEqual(len(out.splitlines()), count + 1)
                self.assertEqual(out, wanted or out)
                wanted = out

    def test_one_process_per_member(self) -> None:
        ports = dict(zip(["Server", "Workers[0]", "Workers[1]"], free_ports(3), strict=True))
        table = ",".join(f"{role}=127.0.0.1:{port}" for role, port in ports.items())
        common = ["run", SERVER, "--family", "Workers=2", "--peers", table, "--deadline", "120", "--session", "f"]
        ended = finish([start(*common, "--role", role, *GIVEN) for role in ports])
        together = run("run", SERVER, "--family", "Workers=2", *GIVEN)[1]
        self.assertEqual([(code, err) for code, _, err in ended], [(0, "")] * 3)
        self.assertEqual("".join(out for _, out, _ in ended), together)

    def test_a_mesh_in_processes(self) -> None:
        pipeline = str(FAMILIES / "pipeline.py")
        roles = ["Stages[0]", "Stages[1]"]
        table = ",".join(f"{role}=127.0.0.1:{port}" for role, port in zip(roles, free_ports(2), strict=True))
        given = ["--at", "Stages", "batches=[np.array([[1.0, 2.0]])]", "weights=np.array([[1.0, 0.5], [0.0, 1.0]])"]
        given += ["--shared", "ticks=3"]
        common = ["run", pipeline, "--family", "Stages=2", "--peers", table, "--deadline", "120"]
        ended = finish([start(*common, "--role", role, *given) for role in roles])
        self.assertEqual([(code, err) for code, _, err in ended], [(0, "")] * 2)
        self.assertEqual("".join(out for _, out, _ in ended), run("run", pipeline, "--family", "Stages=2", *given)[1])

    def test_a_container_for_each_member(self) -> None:
        code, out, err = run("compose", SERVER, "--family", "Workers=2", *GIVEN, "--image", "i")
        self.assertEqual((code, err), (0, ""))
        for name in (
            "  server:",
            "  workers-0:",
            "  workers-1:",
            "Workers[1]=workers-1:9000",
            '"--family", "Workers=2"',
        ):
            self.assertIn(name, out)

    def test_a_diagram_gives_members_plain_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "run.mmd")
            code, _, err = run("run", SERVER, "--family", "Workers=1", *GIVEN, "--diagram", str(path))
            self.assertEqual((code, err), (0, ""))
            self.assertIn(
                "    participant Workers_0 as Workers[0]\n    Server->>Workers_0: ndarray (2,) float64",
                path.read_text(),
            )

    def test_wrong_numbers_say_what_is_wrong(self) -> None:
        for arguments, code, text in [
            ([], 1, "how many members? --family Workers=…"),
            (["--family", "Workers=0"], 1, "at least one member"),
            (["--family", "Server=2"], 1, "Server is not a family of ParameterServer: Workers"),
            (["--family", "Workers=many"], 2, "is not FAMILY=NUMBER"),
            (["--family", "Workers=2", "--at", "Workers[2]", "rows=[]"], 1, "Workers[2] is not a role"),
            (["--family", "Workers=2", "--async"], 1, "stars and meshes have no ends for asyncio"),
        ]:
            with self.subTest(arguments):
                got, out, err = run("run", SERVER, *GIVEN, *arguments)
                self.assertEqual((got, out), (code, ""))
                self.assertIn(text, err)


if __name__ == "__main__":
    unittest.main()
