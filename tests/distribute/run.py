"""Distributes every example script and runs the result: two ranks, one rank, and the original beside them.

    python tests/distribute/run.py [--pytrope PATH] [--quick] [--only TEXT] [--scripts FOLDER] [--launcher] [--keep]

For each script: the output compiles, a second distribute refuses, two ranks that start from different seeds end with
identical weights after equally many steps on different samples, rank 1 prints and writes nothing, the loss is comparable
with the one-process run, and one rank alone runs too. Unless --quick is given, one script of each pattern runs on three
ranks as well. What a script says after `# expect: ` must be printed by every run of it, and NAME.prepare, where there is
one, makes the files that NAME.py reads.
"""

import argparse
import json
import os
import pathlib
import py_compile
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCRIPTS = HERE / "scripts"
HOROVOD = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "venvs" / "horovod" / "bin" / "python"
TORCH = pathlib.Path("/usr/bin/python3")
PATTERNS = ["tape", "fit", "train_step", "session", "monitored", "estimator", "torch"]

# Two scripts of each pattern, for every run of the tests.
QUICK = [
    "tape/cnn.py", "tape/dcgan.py", "tape/error_1_spent_zip.py", "tape/error_2_retrace.py", "tape/error_5_two_applies.py",
    "tape/error_7_both_imports.py", "tape/project/main.py",
    "fit/callbacks.py", "fit/error_3_optimizer.py", "fit/error_6_from_keras.py",
    "train_step/custom_step.py", "train_step/gan_step.py",
    "session/cnn_session.py", "session/random_batches.py",
    "monitored/cnn_monitored.py", "monitored/pipeline_monitored.py",
    "estimator/cnn_estimator.py", "estimator/error_4_model_fn.py",
    "torch/mlp.py", "torch/dcgan.py", "torch/sample_ids.py", "torch/options_in_dict.py", "torch/early_stopping.py",
    "tape/sample_ids.py",
]

# A script of each pattern that three ranks run too: sizes that do not divide, and every rank but one silent.
THREE = {
    "tape/cnn.py", "fit/callbacks.py", "train_step/custom_step.py", "session/random_batches.py",
    "monitored/cnn_monitored.py", "estimator/cnn_estimator.py", "torch/mlp.py", "torch/options_in_dict.py",
}

# Losses of adversarial networks do not fall.
ADVERSARIAL = {"torch/critic_steps.py", "tape/critic_loop.py", "tape/dcgan.py", "train_step/gan_step.py", "torch/dcgan.py"}
# Scripts that read what rank 0 wrote share one folder.
SHARED_FOLDER = {"fit/checkpoint_and_load.py", "torch/early_stopping.py", "torch/save_and_load.py", "torch/temporary_folder.py", "tape/save_and_load.py", "fit/save_and_load.py"}


# Scripts that stop by themselves, sooner or later as their random numbers will have it.
STOPS_EARLY = {"torch/early_stopping.py", "tape/early_stopping.py"}
# Scripts whose losses are the numbers of the samples they read, 1 to n, in two epochs.
NUMBERED = {"tape/sample_ids.py": 23, "fit/sample_ids.py": 23, "session/sample_ids.py": 23, "torch/sample_ids.py": 24}


class Zygote:
    """A process that has the framework imported and forks ranks."""

    def __init__(self, framework, python):
        environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", PYTHONDONTWRITEBYTECODE="1")
        environment["OMP_NUM_THREADS"] = "1"
        self.process = subprocess.Popen(
            [str(python), str(HERE / "zygote.py"), framework], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=environment)
        if not self.process.stdout.readline():
            raise RuntimeError(f"{python} cannot import what {framework} needs")

    def run(self, job):
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


RENDEZVOUS = """
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

    def __init__(self):
        self.process = subprocess.Popen(
            [str(HOROVOD), "-c", RENDEZVOUS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def port(self, size):
        self.process.stdin.write(f"{size}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self):
        self.process.kill()
        self.process.wait()


def horovod_environment(rank, size, port):
    return {
        "HOROVOD_RANK": str(rank), "HOROVOD_SIZE": str(size), "HOROVOD_LOCAL_RANK": str(rank), "HOROVOD_LOCAL_SIZE": str(size),
        "HOROVOD_CROSS_RANK": "0", "HOROVOD_CROSS_SIZE": "1", "HOROVOD_HOSTNAME": "localhost",
        "HOROVOD_GLOO_RENDEZVOUS_ADDR": "127.0.0.1", "HOROVOD_GLOO_RENDEZVOUS_PORT": str(port), "HOROVOD_GLOO_IFACE": "lo",
        "HOROVOD_CONTROLLER": "gloo", "HOROVOD_CPU_OPERATIONS": "gloo", "HOROVOD_CYCLE_TIME": "1",
        "NCCL_SOCKET_IFNAME": "lo",
    }


def torch_environment(rank, size, port):
    return {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port), "GLOO_SOCKET_IFNAME": "lo"}


class Failure(Exception):
    """What a script's output did wrong."""


def require(condition, message):
    if not condition:
        raise Failure(message)


class Runner:
    def __init__(self, pytrope, scripts, folder, launcher, more):
        self.more = more
        self.pytrope = pytrope
        self.scripts = scripts
        self.folder = folder
        self.launcher = launcher
        self.zygotes = {}
        self.rendezvous = None

    def zygote(self, framework):
        if framework not in self.zygotes:
            self.zygotes[framework] = Zygote(framework, TORCH if framework == "torch" else HOROVOD)
        return self.zygotes[framework]

    def job(self, name, framework, script, size, shared=False, prepare=None):
        logs = self.folder / name / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        folders = []
        for rank in range(max(size, 1)):
            work = self.folder / name / ("work" if shared else f"rank{rank}")
            shutil.rmtree(work, ignore_errors=True) if not (shared and rank) else None
            work.mkdir(parents=True, exist_ok=True)
            folders.append(str(work))
            if prepare and not (shared and rank):
                python = TORCH if framework == "torch" else HOROVOD
                subprocess.run([str(python), str(prepare)], cwd=work, check=True, capture_output=True)
        given = [set(pathlib.Path(folder).rglob("*")) for folder in folders]
        if size == 0 or size == 1:
            environments = [{}]
        elif framework == "torch":
            port = free_port()
            environments = [torch_environment(rank, size, port) for rank in range(size)]
        else:
            self.rendezvous = self.rendezvous or Rendezvous()
            port = self.rendezvous.port(size)
            environments = [horovod_environment(rank, size, port) for rank in range(size)]
        answer = self.zygote(framework).run(
            {"script": str(script), "folders": folders, "logs": str(logs), "env": environments, "timeout": 120})
        for rank, report in enumerate(answer["ranks"]):
            report["stdout"] = (logs / f"rank{rank}.stdout").read_text(errors="replace")
            report["files"] = sorted(str(p.relative_to(folders[rank])) for p in pathlib.Path(folders[rank]).rglob("*") if p.is_file() and p not in given[rank])
            if report["code"] != 0:
                tail = (logs / f"rank{rank}.stderr").read_text(errors="replace")[-1500:]
                raise Failure(f"{name}: rank {rank} failed: {report.get('error', '')[-1500:]}\n{tail}")
        return answer["ranks"]

    def distribute(self, script, output):
        return subprocess.run([str(self.pytrope), "distribute", str(script), "-o", str(output)], capture_output=True, text=True)

    def check(self, relative):
        script = self.scripts / relative
        framework = "torch" if relative.startswith("torch/") else "tensorflow"
        project = script.parent.name not in PATTERNS
        base = self.folder / relative.replace("/", "_").removesuffix(".py")
        output = base / "out" if project else base / script.name
        base.mkdir(parents=True, exist_ok=True)
        done = self.distribute(script, output)
        require(done.returncode == 0, f"distribute refused: {done.stderr}")
        written = output / script.name if project else output
        for path in output.rglob("*.py") if project else [written]:
            py_compile.compile(str(path), doraise=True, cfile=str(base / "compiled.pyc"))
            require("pytrope" not in path.read_text(), "the output names Pytrope")
        before = written.read_bytes()
        again = self.distribute(written, written if not project else output)
        require(again.returncode == 1 and "already distributed" in again.stderr, f"a second distribute does not refuse: {again.stderr}")
        require(written.read_bytes() == before, "a refused distribute wrote")

        shared = relative in SHARED_FOLDER
        key = str(base.relative_to(self.folder))
        # Data that a script reads but does not make.
        prepare = script.with_suffix(".prepare")
        prepare = prepare if prepare.exists() else None
        [original] = self.job(f"{key}/original", framework, script, 0, shared, prepare)
        ranks = self.job(f"{key}/two", framework, written, 2, shared, prepare)
        [alone] = self.job(f"{key}/one", framework, written, 1, shared, prepare)

        first, second = ranks
        require(first["count"] > 0, "no trained weights were seen")
        require(first["hash"] == second["hash"], f"weights differ: {first['norm']} and {second['norm']}")
        require(len(first["losses"]) == len(second["losses"]), f"steps differ: {len(first['losses'])} and {len(second['losses'])}")
        require(len(first["losses"]) > 1, "no steps were seen")
        share = 2 * len(first["losses"]) / len(original["losses"])
        require(relative in STOPS_EARLY or share > 0.7, f"two ranks read {share:.0%} of the samples")
        pairs = list(zip(first["losses"], second["losses"]))[1:]
        different = sum(a != b for a, b in pairs)
        require(different >= 0.8 * len(pairs), f"the ranks see the same samples: {different} of {len(pairs)} losses differ")
        require(first["stdout"].strip(), "rank 0 printed nothing")
        expected = script.read_text().partition("# expect: ")[2].partition("\n")[0]
        for report in (original, first, alone):
            require(expected in report["stdout"], f"not printed: {expected!r}")
        require(not second["stdout"].strip(), f"rank 1 printed: {second['stdout'][:300]!r}")
        # Numbers that people read are those of the one-process run.
        tolerance = script.read_text().partition("same numbers: ")[2].partition('"')[0]
        if tolerance:
            for report, whose in ((first, "two ranks"), (alone, "one rank")):
                same_numbers(original["stdout"], report["stdout"], float(tolerance), whose)
        if not shared:
            require(not second["files"], f"rank 1 wrote {second['files'][:5]}")
            require(first["files"] == original["files"] or not original["files"] or bool(first["files"]), "rank 0 saved nothing")
        if relative in NUMBERED:
            self.partition(NUMBERED[relative], original["losses"], first["losses"], second["losses"])
        else:
            self.compare(relative, original["losses"], [(a + b) / 2 for a, b in zip(first["losses"], second["losses"])])
        require(alone["count"] == first["count"], "one rank alone trains other weights")
        require(relative in STOPS_EARLY or len(alone["losses"]) == len(original["losses"]), f"one rank alone takes {len(alone['losses'])} steps, the original {len(original['losses'])}")
        if self.more and relative in THREE:
            self.three(self.job(f"{key}/three", framework, written, 3, shared, prepare), expected)
        if self.launcher and framework != "torch":
            self.horovodrun(key, written)
        return f"{len(first['losses'])} steps (one process {len(original['losses'])}), loss {tail(first['losses']):.4g} (one process {tail(original['losses']):.4g})"

    def three(self, ranks, expected):
        first, *others = ranks
        require(len({rank["hash"] for rank in ranks}) == 1, "three ranks: weights differ")
        require(len({len(rank["losses"]) for rank in ranks}) == 1, "three ranks: steps differ")
        require(expected in first["stdout"], f"three ranks: not printed: {expected!r}")
        for rank in others:
            require(not rank["stdout"].strip() and not rank["files"], "three ranks: another rank prints or writes")

    def partition(self, count, original, first, second):
        """Each epoch of two ranks reads every sample once, but for a last one that has no partner."""
        everything = set(range(1, count + 1))
        require({round(loss) for loss in original} == everything, "the original reads other samples")
        half = len(first) // 2
        for epoch in (slice(0, half), slice(half, None)):
            mine, yours = ({round(loss) for loss in losses[epoch]} for losses in (first, second))
            require(not mine & yours, f"both ranks read {sorted(mine & yours)}")
            require(len(everything - mine - yours) < 2, f"nobody reads {sorted(everything - mine - yours)}")

    def compare(self, relative, original, distributed):
        require(all(loss == loss and abs(loss) < 1e6 for loss in distributed), "a loss is not finite")
        if relative in ADVERSARIAL:
            return
        start, end, ours = head(original), tail(original), tail(distributed)
        # At least half of the one-process run's progress, with as many samples.
        require(ours <= start - 0.5 * (start - end), f"loss {ours:.4g} after training; one process goes from {start:.4g} to {end:.4g}")

    def horovodrun(self, key, script):
        work = self.folder / key / "launcher"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        command = [str(HOROVOD.parent / "horovodrun"), "-np", "2", "--gloo", "--network-interfaces", "lo", str(HOROVOD), str(script)]
        environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PATH=f"{HOROVOD.parent}:{os.environ['PATH']}")
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=300, env=environment)
        require(done.returncode == 0, f"horovodrun failed: {done.stdout[-800:]} {done.stderr[-800:]}")
        require("[1,1]<stdout>" not in done.stdout, "rank 1 printed under horovodrun")

    def close(self):
        for zygote in self.zygotes.values():
            zygote.close()
        if self.rendezvous:
            self.rendezvous.close()


def same_numbers(expected, printed, tolerance, whose):
    """Two outputs have the same words, and numbers that differ by no more than a part."""
    expected, printed = ([re.split(NUMBER, line) for line in text.splitlines()] for text in (expected, printed))
    require(len(expected) == len(printed), f"{whose} print {len(printed)} lines, the original {len(expected)}")
    for one, other in zip(expected, printed):
        require(len(one) == len(other), f"{whose} print {''.join(other)!r}, the original {''.join(one)!r}")
        for i, (a, b) in enumerate(zip(one, other)):
            same = a == b if i % 2 == 0 else abs(float(a) - float(b)) <= tolerance * max(1.0, abs(float(a)))
            require(same, f"{whose} print {''.join(other)!r}, the original {''.join(one)!r}")


NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)")


def head(losses):
    part = losses[: max(1, len(losses) // 8)]
    return sum(part) / len(part)


def tail(losses):
    part = losses[-max(1, len(losses) // 4):]
    return sum(part) / len(part)


def refusals(runner):
    """Projects under refused/ must be refused with the code that their first line names, and nothing written."""
    failures = passed = 0
    for path in sorted((HERE / "refused").iterdir()):
        script = path / "main.py" if path.is_dir() else path
        expected = json.loads((path / "expected.json").read_text())["code"] if path.is_dir() else None
        text = script.read_text()
        if expected is None:
            expected = text.split("refused: ", 1)[1].split()[0].strip('",\\n')
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "out.py"
            done = subprocess.run([str(runner.pytrope), "distribute", str(script), "-o", str(output), "--output-format", "concise"],
                                  capture_output=True, text=True)
            good = done.returncode == 1 and expected in done.stderr and not output.exists()
        print(f"{'ok  ' if good else 'FAIL'} refused/{path.name}: {expected}" + ("" if good else f"\n     {done.returncode} {done.stderr}"), flush=True)
        failures += not good
        passed += good
    return passed, failures


def missing_peer(message):
    print(f"MISSING PEER: {message}", flush=True)
    return os.environ.get("PYTROPE_REQUIRE_PEERS") == "1"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pytrope", type=pathlib.Path, default=ROOT / "target" / "debug" / "pytrope")
    parser.add_argument("--quick", action="store_true", help="at least two scripts of every pattern")
    parser.add_argument("--only", default="", help="only scripts whose path contains this, or one of these, between commas")
    parser.add_argument("--scripts", type=pathlib.Path, default=SCRIPTS, help="a folder with a folder of scripts for each pattern")
    parser.add_argument("--launcher", action="store_true", help="run the first script of each TensorFlow pattern under horovodrun too")
    parser.add_argument("--keep", action="store_true", help="keep the outputs, and say where")
    options = parser.parse_args()

    names = QUICK if options.quick else sorted(
        str(p.relative_to(options.scripts)) for pattern in PATTERNS
        for p in [*(options.scripts / pattern).glob("*.py"), *(options.scripts / pattern).glob("*/main.py")])
    names = [name for name in names if any(part in name for part in options.only.split(","))]
    failures = passed = 0
    if not HOROVOD.exists():
        failures += missing_peer(f"{HOROVOD} (python3 tests/distribute/environment.py makes it)")
        names = [name for name in names if name.startswith("torch/")]
    if subprocess.run([str(TORCH), "-c", "import torch"], capture_output=True).returncode != 0:
        failures += missing_peer(f"{TORCH} has no torch (apt-get install python3-torch)")
        names = [name for name in names if not name.startswith("torch/")]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="distribute-"))
    runner = Runner(options.pytrope, options.scripts, folder, False, not options.quick)
    launched = set()
    started = time.monotonic()
    try:
        if not options.only and options.scripts == SCRIPTS:
            refused, wrong = refusals(runner)
            passed += refused
            failures += wrong
        for name in names:
            pattern = name.split("/")[0]
            runner.launcher = options.launcher and pattern not in launched
            launched.add(pattern)
            begin = time.monotonic()
            try:
                verdict = "ok   " + name + ": " + runner.check(name)
                passed += 1
            except (Failure, subprocess.TimeoutExpired, py_compile.PyCompileError) as failure:
                failures += 1
                verdict = f"FAIL {name}: {failure}"
            print(f"{verdict} [{time.monotonic() - begin:.1f} s]", flush=True)
    finally:
        runner.close()
        if options.keep:
            print(f"outputs are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{passed} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
