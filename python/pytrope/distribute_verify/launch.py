"""Starts ranks, each with the environment that its engine's launcher would give it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import socket
import subprocess
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent

# What each target's ranks are started by.
LAUNCHERS = {
    "ddp": "torchrun",
    "fsdp2": "torchrun",
    "accelerate": "accelerate",
    "horovod": "horovod",
    "tf-distribute": "tf_config",
}


class RunFailed(Exception):
    """A rank ended with an error, or did not end."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Zygote:
    """A process that has the framework imported and forks ranks."""

    def __init__(self, framework: str, python: str | os.PathLike[str], cuda: bool) -> None:
        environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PYTHONDONTWRITEBYTECODE="1", OMP_NUM_THREADS="1")
        # Nothing of a run leaves this machine.
        environment.update(WANDB_MODE="disabled", HF_HUB_OFFLINE="1", MLFLOW_TRACKING_URI="file:mlruns")
        if not cuda:
            environment["CUDA_VISIBLE_DEVICES"] = ""
        self.process = subprocess.Popen(
            [str(python), str(HERE / "ranks.py"), framework],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        if not self._read():
            _, said = self.process.communicate()
            raise RunFailed(f"{python} cannot import what {framework} needs: {said.strip()[-500:]}")

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer = self._read()
        if not answer:
            raise RunFailed("the process that starts the ranks ended")
        reports: dict[str, Any] = json.loads(answer)
        return reports

    def close(self) -> None:
        self.process.communicate()


_RENDEZVOUS = """
import sys
from horovod.runner.common.util.hosts import get_host_assignments, parse_hosts
from horovod.runner.http.http_server import RendezvousServer
for line in sys.stdin:
    size = int(line)
    server = RendezvousServer(verbose=0)
    port = server.start()
    server.init(get_host_assignments(parse_hosts(f"localhost:{size}"), size))
    print(port, flush=True)
"""


class Rendezvous:
    """Horovod's meeting point: a fresh server for every job."""

    def __init__(self, python: str | os.PathLike[str]) -> None:
        self.process = subprocess.Popen(
            [str(python), "-c", _RENDEZVOUS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def port(self, size: int) -> int:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{size}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def torchrun_environment(rank: int, size: int, port: int) -> dict[str, str]:
    return {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(size),
        "LOCAL_WORLD_SIZE": str(size),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "GLOO_SOCKET_IFNAME": "lo",
    }


def horovod_environment(rank: int, size: int, port: int) -> dict[str, str]:
    return {
        "HOROVOD_RANK": str(rank),
        "HOROVOD_SIZE": str(size),
        "HOROVOD_LOCAL_RANK": str(rank),
        "HOROVOD_LOCAL_SIZE": str(size),
        "HOROVOD_CROSS_RANK": "0",
        "HOROVOD_CROSS_SIZE": "1",
        "HOROVOD_HOSTNAME": "localhost",
        "HOROVOD_GLOO_RENDEZVOUS_ADDR": "127.0.0.1",
        "HOROVOD_GLOO_RENDEZVOUS_PORT": str(port),
        "HOROVOD_GLOO_IFACE": "lo",
        "HOROVOD_CONTROLLER": "gloo",
        "HOROVOD_CPU_OPERATIONS": "gloo",
        "HOROVOD_CYCLE_TIME": "1",
        "NCCL_SOCKET_IFNAME": "lo",
    }


def tf_config(rank: int, ports: list[int]) -> dict[str, str]:
    cluster = {"worker": [f"127.0.0.1:{port}" for port in ports]}
    return {"TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": "worker", "index": rank}})}


def _snapshot(folder: pathlib.Path) -> dict[str, tuple[int, int]]:
    """The files below a folder with when they were written and how long they are."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            known = path.stat()
            found[str(path.relative_to(folder))] = (known.st_mtime_ns, known.st_size)
    return found


class Launcher:
    """Runs scripts on any number of ranks, below one folder; close it when done."""

    def __init__(self, folder: pathlib.Path, pythons: dict[str, str | os.PathLike[str]], cuda: bool = False) -> None:
        self.folder = folder
        self.pythons = pythons
        self.cuda = cuda
        self._zygotes: dict[str, Zygote] = {}
        self._rendezvous: Rendezvous | None = None

    def _zygote(self, framework: str) -> Zygote:
        if framework not in self._zygotes:
            self._zygotes[framework] = Zygote(framework, self.pythons[framework], self.cuda)
        return self._zygotes[framework]

    def _environments(self, framework: str, target: str | None, size: int, launched: bool) -> list[dict[str, str]]:
        if target is None or size == 0:
            return [{}]
        launcher = LAUNCHERS[target]
        # One process may be started without a launcher, as `python script.py` does.
        if size == 1 and not launched:
            return [{"ACCELERATE_USE_CPU": "true"}] if launcher == "accelerate" and not self.cuda else [{}]
        if launcher == "horovod":
            self._rendezvous = self._rendezvous or Rendezvous(self.pythons[framework])
            port = self._rendezvous.port(size)
            return [horovod_environment(rank, size, port) for rank in range(size)]
        if launcher == "tf_config":
            ports = [free_port() for _ in range(size)]
            return [tf_config(rank, ports) for rank in range(size)]
        port = free_port()
        environments = [torchrun_environment(rank, size, port) for rank in range(size)]
        if launcher == "accelerate" and not self.cuda:
            for environment in environments:
                environment["ACCELERATE_USE_CPU"] = "true"
        return environments

    def run(
        self,
        name: str,
        framework: str,
        target: str | None,
        script: pathlib.Path,
        size: int,
        shared: bool = False,
        prepare: pathlib.Path | None = None,
        launched: bool = False,
        template: pathlib.Path | None = None,
        **options: Any,
    ) -> list[dict[str, Any]]:
        """Run a script on ``size`` ranks; on none of them, ``size`` 0, for an original.

        Every rank works in a folder of its own unless ``shared``; it is a copy of ``template``, and ``prepare`` is a
        script that fills it.  One rank is run
        without a launcher unless ``launched``.  The answer has per
        rank what ``observe`` saw, standard output, and the files it wrote.  A rank that fails raises ``RunFailed``.
        """
        logs = self.folder / name / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        folders: list[pathlib.Path] = []
        for rank in range(max(size, 1)):
            work = self.folder / name / ("work" if shared else f"rank{rank}")
            folders.append(work)
            if shared and rank:
                continue
            shutil.rmtree(work, ignore_errors=True)
            if template:
                shutil.copytree(template, work, symlinks=True)
            else:
                work.mkdir(parents=True)
            if prepare:
                subprocess.run([str(self.pythons[framework]), str(prepare)], cwd=work, check=True, capture_output=True)
        given = [_snapshot(folder) for folder in folders]
        job: dict[str, Any] = {
            "script": str(script),
            "target": target,
            "folders": [str(folder) for folder in folders],
            "logs": str(logs),
            "timeout": 120,
            "weights_to": str(logs),
            **options,
        }
        answer: dict[str, Any] = {}
        for _ in range(4):
            job["env"] = self._environments(framework, target, size, launched)
            answer = self._zygote(framework).run(job)
            # A port that was free may be taken by another run before its rank listens.
            if not any("EADDRINUSE" in str(rank.get("error")) for rank in answer["ranks"]):
                break
        for rank, report in enumerate(answer["ranks"]):
            report["stdout"] = (logs / f"rank{rank}.stdout").read_text(errors="replace")
            report["weights"] = str(logs / f"weights{rank}.bin")
            now = _snapshot(folders[rank])
            report["files"] = sorted(name for name, stamp in now.items() if given[rank].get(name) != stamp)
        failed = [(rank, report) for rank, report in enumerate(answer["ranks"]) if report["code"] != 0]
        # A rank that lost its neighbours says so, after the one that has the reason.
        failed.sort(
            key=lambda one: any(
                word in one[1].get("error", "") for word in ("closed by peer", "reset by peer", "no report")
            )
        )
        if failed:
            said = []
            for rank, report in failed:
                stderr = (logs / f"rank{rank}.stderr").read_text(errors="replace")[-1500:]
                said.append(f"{stderr}\nrank {rank} failed: {report.get('error', '')[-1500:]}")
            raise RunFailed("\n".join(reversed(said)))
        reports: list[dict[str, Any]] = answer["ranks"]
        return reports

    def close(self) -> None:
        for zygote in self._zygotes.values():
            zygote.close()
        if self._rendezvous:
            self._rendezvous.close()
