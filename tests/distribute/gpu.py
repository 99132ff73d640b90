"""Runs outputs of `pytrope distribute` for PyTorch on a machine with a GPU, beside the originals, and prints a table.

    python3 tests/distribute/gpu.py --generate --pytrope PATH [--to ddp,fsdp2,accelerate]   where Pytrope is built
    python3 tests/distribute/gpu.py [--jobs 8] [--seconds N] [--only TEXT] [--python PATH]  on the machine with the GPU

`--generate` writes originals and outputs to --outputs (by default target/gpu-outputs, which git ignores); running them needs
that folder, this file, tests/distribute/stand_ins and python/pytrope/distribute_verify, and a PyTorch, and nothing else.
After --seconds no further script is begun, and those that were left are named.

Two NCCL ranks cannot share one GPU, so with one GPU an output runs as
    cuda 1   one rank under torchrun's environment, CUDA visible
    alone    one process without a launcher, CUDA visible
    cuda 2   two ranks, CUDA visible: only where the script keeps its tensors on the CPU, or where there are two GPUs
    cpu 2    two ranks, CUDA hidden
    cpu 3    three ranks, CUDA hidden
Steps, weights and losses are compared with the original's on the same device (`compare_runs` of distribute_verify): samples come
in the same order in all runs, dropout lets everything through, BatchNorm uses its running statistics and noise is drawn for each
sample, so that they agree to rounding.  A row is "ok" only where the weights agree; where a sample is read twice because it has no partner, both runs are ended
before that step.  "NOT COMPARED" names the reason, such as noise of the batch's size.  Other numbers of steps are a failure.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "python" / "pytrope"))

from distribute_verify.compare import compare_runs  # noqa: E402
from distribute_verify.launch import Launcher, RunFailed  # noqa: E402

SHARED_FOLDER = {"early_stopping", "save_and_load"}
# Each rank reads a stretch of a text of its own, so that steps are taken on other samples.
OTHER_STEPS = {"text_windows"}


def generate(options):
    """Originals and outputs: OUTPUTS/NAME/original/… and OUTPUTS/NAME/TARGET/…, the script by its own name in each."""
    shutil.rmtree(options.outputs, ignore_errors=True)
    scripts = sorted([*(HERE / "scripts" / "torch").glob("*.py"), *(HERE / "scripts" / "torch").glob("*/main.py")])
    refused = 0
    for script in scripts:
        project = script.name == "main.py"
        name = script.parent.name if project else script.stem
        folder = options.outputs / name
        if project:
            shutil.copytree(script.parent, folder / "original")
        else:
            (folder / "original").mkdir(parents=True)
            shutil.copy(script, folder / "original")
        for target in options.to.split(","):
            output = folder / target
            output.mkdir()
            place = output if project else output / script.name
            command = [str(options.pytrope), "distribute", str(script), "--to", target, "-o", str(place)]
            if options.pytrope.name == "rewrite":
                command = [str(options.pytrope), str(script), "--to", target, "-o", str(place)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                refused += 1
                shutil.rmtree(output)
                print(f"{name}: --to {target} is refused: {done.stderr.strip().splitlines()[0]}")
    print(f"{len(scripts)} scripts, {refused} outputs refused; they are in {options.outputs}")


def uses_gpu(folder):
    """Whether a script moves anything to a GPU itself."""
    return any(word in path.read_text() for path in folder.rglob("*.py") for word in ("cuda", ".to(", "accelerator"))


class Table:
    """The rows of one thread, with processes of its own that have PyTorch imported."""

    def __init__(self, options, gpus):
        self.gpus = gpus
        self.path = [str(HERE / "stand_ins")]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gpu-"))
        pythons = {"torch": options.python}
        self.cpu = Launcher(self.folder / "cpu", pythons)
        self.cuda = Launcher(self.folder / "cuda", pythons, cuda=True)
        self.failures = 0
        self.cells = 0
        self.verdicts = collections.Counter()

    def run(self, launcher, name, target, script, size, launched=True, steps=None, is_reversed=False):
        shared = name.split("/")[0] in SHARED_FOLDER
        options = {"path": self.path, "in_order": True, "same_seed": True, "launched": launched, "steps": steps, "reversed": is_reversed}
        return launcher.run(name, "torch", target, script, size, shared, **options)

    def cell(self, title, source, original, launcher, name, target, script, size, launched=True):
        """One run beside its original: what differs, in a few words."""
        self.cells += 1
        if isinstance(original, RunFailed):
            self.failures += 1
            return f"{title}: the original fails: {str(original).strip().splitlines()[-1][:160]}"
        key = f"{name}/{title.replace(' ', '')}"

        def run_again(steps):
            [part] = self.run(launcher, f"{key}/original-part", None, source, 0, steps=steps)
            return part, self.run(launcher, f"{key}/part", target, script, size, launched, steps)

        def run_reversed(steps):
            return self.run(launcher, f"{key}/reversed", None, source, 0, steps=steps, is_reversed=True)[0]

        try:
            ranks = self.run(launcher, key, target, script, size, launched)
            comparison = compare_runs(original, ranks, run_again, run_reversed)
        except RunFailed as failure:
            self.failures += 1
            lines = [line for line in str(failure).strip().splitlines() if line.strip()]
            return f"{title}: FAILED " + (lines[-1][:300] if lines else "")
        problems = []
        if len({rank["hash"] for rank in ranks}) != 1:
            problems.append("weights differ between ranks")
        if any(rank["stdout"].strip() for rank in ranks[1:]):
            problems.append("another rank prints")
        verdict, detail = comparison.judge(5e-3)
        if verdict == "differs" and size > 1 and name.split("/")[0] in OTHER_STEPS:
            verdict, detail = "open", f"{detail}; each rank reads a stretch of its own"
        if verdict == "differs":
            problems.append(detail)
        if problems:
            self.failures += 1
            return f"{title}: FAILED " + "; ".join(problems)
        self.verdicts[verdict] += 1
        layers = f" ({', '.join(sorted(comparison.layers))})" if comparison.layers and verdict == "ok" else ""
        return f"{title}: {'ok' if verdict == 'ok' else 'NOT COMPARED'}, {detail}{layers}"

    def original(self, launcher, name, script):
        try:
            return self.run(launcher, f"{name}/original", None, script, 0)[0]
        except RunFailed as failure:
            return failure

    def row(self, name, target, original, script):
        on_gpu = uses_gpu(original.parent)
        here = self.original(self.cpu, name, original)
        key = f"{name}/{target}"
        cells = [self.cell(f"cpu {size}", original, here, self.cpu, key, target, script, size) for size in (2, 3)]
        if self.gpus:
            there = self.original(self.cuda, name, original)
            cells.append(self.cell("cuda 1", original, there, self.cuda, key, target, script, 1))
            cells.append(self.cell("alone", original, there, self.cuda, key, target, script, 1, launched=False))
            if not on_gpu or self.gpus > 1:
                cells.append(self.cell("cuda 2", original, there, self.cuda, key, target, script, 2))
        lines = [f"{target:10} {name}{' (GPU)' if on_gpu else ''}", *("    " + text for text in cells)]
        print("\n".join(lines), flush=True)

    def close(self):
        self.cpu.close()
        self.cuda.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--generate", action="store_true")
    parser.add_argument("--pytrope", type=pathlib.Path, default=ROOT / "target" / "release" / "pytrope")
    parser.add_argument("--outputs", type=pathlib.Path, default=ROOT / "target" / "gpu-outputs")
    parser.add_argument("--python", type=pathlib.Path, default=pathlib.Path(sys.executable), help="has PyTorch")
    parser.add_argument("--to", default="ddp,fsdp2,accelerate")
    parser.add_argument("--jobs", type=int, default=1, help="scripts that run at the same time")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no script is begun after this time")
    parser.add_argument("--only", default="", help="scripts whose name contains this, or one of these, between commas")
    options = parser.parse_args()
    options.outputs = options.outputs.resolve()
    if options.generate:
        generate(options)
        return 0
    probe = "import torch; print(torch.__version__, torch.cuda.device_count(), torch.cuda.is_available() and torch.cuda.get_device_name())"
    said = subprocess.run([str(options.python), "-c", probe], capture_output=True, text=True, check=True).stdout.split(maxsplit=2)
    print(f"PyTorch {said[0]}, {said[1]} GPUs: {said[2].strip()}")
    targets = options.to.split(",")
    if subprocess.run([str(options.python), "-c", "import accelerate"], capture_output=True).returncode != 0 and "accelerate" in targets:
        print("Accelerate is not installed: its outputs are not run")
        targets.remove("accelerate")
    end = time.monotonic() + options.seconds
    rows, left = queue.SimpleQueue(), queue.SimpleQueue()
    for target in targets:
        for folder in sorted(options.outputs.iterdir()):
            if (folder / target).is_dir() and any(part in folder.name for part in options.only.split(",")):
                scripts = list((folder / target).glob("main.py")) or list((folder / target).glob("*.py"))
                rows.put((folder.name, target, folder / "original" / scripts[0].name, scripts[0]))

    def work(table):
        try:
            while True:
                row = rows.get_nowait()
                if time.monotonic() < end:
                    table.row(*row)
                else:
                    left.put(row)
        except queue.Empty:
            return
        finally:
            table.close()

    tables = [Table(options, int(said[1])) for _ in range(options.jobs)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(work, table) for table in tables]:
            done.result()
    failures = sum(table.failures for table in tables)
    verdicts = sum((table.verdicts for table in tables), collections.Counter())
    if not left.empty():
        print("not run, for want of time:", ", ".join(sorted(f"{row[1]} {row[0]}" for row in [left.get() for _ in range(left.qsize())])))
    print(f"{sum(table.cells for table in tables)} runs: {verdicts['ok']} agree, {verdicts['open']} not compared, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
