"""Distributes every example script and runs the result: two ranks, one rank, and the original beside them.

    python tests/distribute/run.py [--pytrope PATH] [--to ENGINE] [--quick] [--only TEXT] [--scripts FOLDER] [--launcher] [--keep]

For each script: the output compiles, a second distribute refuses, two ranks that start from different seeds end with
identical weights after equally many steps on different samples, rank 1 prints and writes nothing, the loss is comparable
with the one-process run, and one rank alone runs too. Three ranks run it as well; with --quick, one script of each pattern.
What a script says after `# expect: ` must be printed by every run of it, and NAME.prepare, where there is one, makes the files
that NAME.py reads. Of PyTorch scripts, the ranks and one process also run on the same samples in the same order, and must end
with the same weights ("ok") unless a layer sees its part of a batch only, random numbers are drawn, or a batch is no multiple of
the ranks ("open"). With --launcher the first script of each pattern is also started by its launcher, on two and three ranks.

--to ddp, fsdp2, accelerate or tf-distribute runs the scripts that the engine takes with the current PyTorch or TensorFlow
(target/venvs/torch-current, tf-current); what it refuses is listed with the reason. The ranks are started and watched by
python/pytrope/distribute_verify, as `pytrope distribute --verify` does.
"""

import argparse
import json
import os
import pathlib
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCRIPTS = HERE / "scripts"
VENVS = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "venvs"
HOROVOD = VENVS / "horovod" / "bin" / "python"
TORCH = pathlib.Path("/usr/bin/python3")
sys.path.insert(0, str(ROOT / "python" / "pytrope"))

import gpu  # noqa: E402
import recipes  # noqa: E402
import verify_cases  # noqa: E402
from distribute_verify.compare import compare_runs  # noqa: E402
from distribute_verify.launch import Launcher, RunFailed, free_port, tf_config  # noqa: E402

TORCH_CURRENT = VENVS / "torch-current" / "bin" / "python"
LAUNCHED_SIZES = (2, 3)
# On a machine with other work a launcher's start takes most of it.
LAUNCH_TIMEOUT = 300

# The framework and interpreter of each engine, and the patterns that it takes; without an engine the default ones.
ENGINES = {
    None: {"torch": TORCH, "horovod": HOROVOD},
    "ddp": {"torch": TORCH_CURRENT},
    "fsdp2": {"torch": TORCH_CURRENT},
    "accelerate": {"torch": TORCH_CURRENT},
    "tf-distribute": {"tensorflow": VENVS / "tf-current" / "bin" / "python"},
}

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


class Failure(Exception):
    """What a script's output did wrong."""


def require(condition, message):
    if not condition:
        raise Failure(message)


class Refused(Exception):
    """An engine that was asked for does not take a script."""


class Runner:
    def __init__(self, pytrope, scripts, folder, launcher, more, to=None):
        self.more = more
        self.pytrope = pytrope
        self.scripts = scripts
        self.folder = folder
        self.launcher = launcher
        self.to = to
        self.ranks = Launcher(folder, ENGINES[to])

    def framework(self, relative):
        if relative.startswith("torch/"):
            return "torch"
        return "tensorflow" if self.to else "horovod"

    def job(self, name, framework, script, size, shared=False, prepare=None, **options):
        target = self.to or ("ddp" if framework == "torch" else "horovod")
        path = [str(HERE / "stand_ins")]
        # The original and its output run with the same Keras.
        if self.to == "tf-distribute":
            os.environ["TF_USE_LEGACY_KERAS"] = "1"
        return self.ranks.run(name, framework, None if size == 0 else target, script, size, shared, prepare, path=path, **options)

    def distribute(self, script, output):
        command = [str(self.pytrope), "distribute", str(script), "-o", str(output), *(["--to", self.to] if self.to else [])]
        return subprocess.run(command, capture_output=True, text=True)

    def check(self, relative):
        script = self.scripts / relative
        framework = self.framework(relative)
        project = script.parent.name not in PATTERNS
        base = self.folder / relative.replace("/", "_").removesuffix(".py")
        output = base / "out" if project else base / script.name
        base.mkdir(parents=True, exist_ok=True)
        done = self.distribute(script, output)
        if self.to and done.returncode == 1:
            raise Refused(next(line for line in done.stderr.splitlines() if line.startswith("error")))
        require(done.returncode == 0, f"distribute refused: {done.stderr}")
        written = output / script.name if project else output
        for path in output.rglob("*.py") if project else [written]:
            py_compile.compile(str(path), doraise=True, cfile=str(base / "compiled.pyc"))
            require("pytrope" not in path.read_text(), "the output names Pytrope")
        before = written.read_bytes()
        again = self.distribute(written, written if not project else output)
        require(again.returncode == 1 and ("already distributed" in again.stderr or "PT419" in again.stderr), f"a second distribute does not refuse: {again.stderr}")
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
        weights = []
        if framework == "torch":
            weights.append(f"2 ranks {self.exact(key, framework, script, written, shared, prepare, 2)}")
        if self.more or self.to or relative in THREE:
            self.three(self.job(f"{key}/three", framework, written, 3, shared, prepare), expected, shared)
            if framework == "torch":
                weights.append(f"3 ranks {self.exact(key, framework, script, written, shared, prepare, 3)}")
        for size in LAUNCHED_SIZES if self.launcher else ():
            self.launch(key, framework, written, size, original["stdout"])
        compared = f", weights on the same samples: {', '.join(weights)}" if weights else ""
        return (
            f"{len(first['losses'])} steps (one process {len(original['losses'])}), "
            f"loss {tail(first['losses']):.4g} (one process {tail(original['losses']):.4g}){compared}"
        )

    def exact(self, key, framework, script, written, shared, prepare, size):
        """The same samples in the same order: ranks end with the weights of one process."""
        def both(steps=None):
            same = {"in_order": True, "same_seed": True, "steps": steps}
            [original] = self.job(f"{key}/original-in-order", framework, script, 0, shared, prepare, **same)
            return original, self.job(f"{key}/{size}-in-order", framework, written, size, shared, prepare, **same)

        verdict, detail = compare_runs(*both(), both).judge(5e-3)
        require(verdict != "differs" or script.stem in gpu.OTHER_STEPS, f"{size} ranks on the same samples: {detail}")
        return verdict

    def three(self, ranks, expected, shared):
        first, *others = ranks
        require(len({rank["hash"] for rank in ranks}) == 1, "three ranks: weights differ")
        require(len({len(rank["losses"]) for rank in ranks}) == 1, "three ranks: steps differ")
        require(expected in first["stdout"], f"three ranks: not printed: {expected!r}")
        for rank in others:
            require(not rank["stdout"].strip(), f"three ranks: another rank prints {rank['stdout'][:300]!r}")
            require(shared or not rank["files"], f"three ranks: another rank writes {rank['files'][:5]}")

    def partition(self, count, original, first, second):
        """Each epoch of two ranks reads every sample once, but for a last one that has no partner."""
        everything = set(range(1, count + 1))
        require({round(loss) for loss in original} == everything, "the original reads other samples")
        half = len(first) // 2
        for epoch in (slice(0, half), slice(half, None)):
            mine, yours = ({round(loss) for loss in losses[epoch]} for losses in (first, second))
            require(not mine & yours, f"both ranks read {sorted(mine & yours)}")
            require(len(everything - mine - yours) < 2, f"no rank reads {sorted(everything - mine - yours)}")

    def compare(self, relative, original, distributed):
        require(all(loss == loss and abs(loss) < 1e6 for loss in distributed), "a loss is not finite")
        if relative in ADVERSARIAL:
            return
        start, end, ours = head(original), tail(original), tail(distributed)
        # At least half of the one-process run's progress, with as many samples.
        require(ours <= start - 0.5 * (start - end), f"loss {ours:.4g} after training; one process goes from {start:.4g} to {end:.4g}")

    def launch(self, key, framework, script, size, original):
        """The launchers that `--recipe` names, on this machine's CPUs: rank 0 prints what one process prints, the others nothing."""
        work = self.folder / key / f"launcher{size}"
        work.mkdir(parents=True)
        environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PYTHONPATH=str(HERE / "stand_ins"), GLOO_SOCKET_IFNAME="lo")
        environment.update(OMP_NUM_THREADS="1", CUDA_VISIBLE_DEVICES="", MPLBACKEND="Agg")
        python = self.ranks.pythons[framework]
        if self.to == "tf-distribute":
            self.launch_workers(work, environment, python, script, size, original)
            return
        if framework == "horovod":
            environment["PATH"] = f"{python.parent}:{os.environ['PATH']}"
            command = [python.parent / "horovodrun", "-np", size, "--gloo", "--network-interfaces", "lo", python, script]
        elif self.to == "accelerate":
            # Accelerate itself needs the package that a stand-in would hide.
            del environment["PYTHONPATH"]
            command = [python.parent / "accelerate", "launch", "--cpu", f"--num_processes={size}", script]
        else:
            # The launcher of Debian's PyTorch 1.13 does not start under its Python 3.11; outputs are the same for both.
            python = TORCH_CURRENT if TORCH_CURRENT.exists() else python
            command = [python, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={size}", script]
        name = pathlib.Path(command[2] if command[1] == "-m" else command[0]).name
        done = subprocess.run(list(map(str, command)), cwd=work, capture_output=True, text=True, timeout=LAUNCH_TIMEOUT, env=environment)
        require(done.returncode == 0, f"{name} on {size} ranks failed: {done.stdout[-800:]} {done.stderr[-800:]}")
        # Under MPI `[1,0]<stdout>:` stands before a line of rank 0, else `[0]<stdout>:`.
        other = re.search(r"^\[(?:1,)?[1-9]\d*\]<stdout>:.*", done.stdout, re.M)
        require(not other, f"another rank printed under {name}: {other and other[0]!r}")
        same_words(original, re.sub(r"^\[(?:1,)?0\]<stdout>:", "", done.stdout, flags=re.M), f"{name} on {size} ranks")

    def launch_workers(self, work, environment, python, script, size, original):
        """A process per worker, each with its own TF_CONFIG, as the recipe has it."""
        ports = [free_port() for _ in range(size)]
        workers = []
        for rank in range(size):
            folder = work / f"worker{rank}"
            folder.mkdir()
            environment_of_rank = {**environment, **tf_config(rank, ports)}
            workers.append(subprocess.Popen([str(python), str(script)], cwd=folder, env=environment_of_rank, text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        printed = []
        try:
            for worker in workers:
                out, said = worker.communicate(timeout=LAUNCH_TIMEOUT)
                require(worker.returncode == 0, f"a worker of {size} failed: {said[-800:]}")
                printed.append(out)
        finally:
            for worker in workers:
                worker.kill()
                worker.communicate()
        require(not any(text.strip() for text in printed[1:]), "another worker than 0 prints under TF_CONFIG")
        same_words(original, printed[0], f"TF_CONFIG on {size} workers")

    def close(self):
        self.ranks.close()


def same_words(expected, printed, launcher):
    """What the ranks print under a launcher is what one process prints, once; numbers differ with the seeds, progress bars with time."""
    def lines(text):
        kept = [line for line in re.split(r"[\r\n\x08]+", text) if line.strip() and not re.search(r"\[[=>.]*\]|/step|it/s", line)]
        return [re.sub(r"\s+", " ", NUMBER.sub("#", line)).strip() for line in kept]
    require(lines(expected) == lines(printed), f"under {launcher} the ranks print {printed[:300]!r}, one process {expected[:300]!r}")


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
    parser.add_argument("--to", choices=["ddp", "fsdp2", "accelerate", "tf-distribute"], help="run another engine's outputs")
    parser.add_argument("--quick", action="store_true", help="at least two scripts of every pattern")
    parser.add_argument("--only", default="", help="only scripts whose path contains this, or one of these, between commas")
    parser.add_argument("--scripts", type=pathlib.Path, default=SCRIPTS, help="a folder with a folder of scripts for each pattern")
    parser.add_argument("--launcher", action="store_true", help="run the first script of each pattern under its launcher too")
    parser.add_argument("--keep", action="store_true", help="keep the outputs, and say where")
    options = parser.parse_args()

    names = QUICK if options.quick else sorted(
        str(p.relative_to(options.scripts)) for pattern in PATTERNS
        for p in [*(options.scripts / pattern).glob("*.py"), *(options.scripts / pattern).glob("*/main.py")])
    names = [name for name in names if any(part in name for part in options.only.split(","))]
    failures = passed = 0
    if options.to:
        names = [name for name in names if name.startswith("fit/" if options.to == "tf-distribute" else "torch/")]
        [python] = ENGINES[options.to].values()
        if not python.exists():
            failures += missing_peer(f"{python} (cargo xtask e2e distribute makes it)")
            names = []
    elif not HOROVOD.exists():
        failures += missing_peer(f"{HOROVOD} (python3 tests/distribute/environment.py makes it)")
        names = [name for name in names if name.startswith("torch/")]
    if not options.to and subprocess.run([str(TORCH), "-c", "import torch"], capture_output=True).returncode != 0:
        failures += missing_peer(f"{TORCH} has no torch (apt-get install python3-torch)")
        names = [name for name in names if not name.startswith("torch/")]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="distribute-"))
    runner = Runner(options.pytrope, options.scripts, folder, False, not options.quick, options.to)
    launched = set()
    started = time.monotonic()
    try:
        if not options.only and not options.to and options.scripts == SCRIPTS:
            checks = [refusals(runner), verify_cases.run(options.pytrope, TORCH)]
            # Horovod's environment can read YAML.
            if HOROVOD.exists():
                checks.append(recipes.run(options.pytrope, HOROVOD))
            for good, bad in checks:
                passed += good
                failures += bad
        for name in names:
            pattern = name.split("/")[0]
            runner.launcher = options.launcher and pattern not in launched
            launched.add(pattern)
            begin = time.monotonic()
            try:
                verdict = "ok   " + name + ": " + runner.check(name)
                passed += 1
            except Refused as refused:
                verdict = f"none {name}: {refused}"
            except (Failure, RunFailed, subprocess.TimeoutExpired, py_compile.PyCompileError) as failure:
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
