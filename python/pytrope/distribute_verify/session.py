"""Verifying one script: which runs are made, what is compared, and the table of verdicts."""

from __future__ import annotations

import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any

from .compare import NUMBER, Comparison, Coverage, Lines, compare_runs, losses_differ_by, weights_differ_by
from .launch import Launcher, RunFailed

# Larger files are linked into the copy instead of copied.
LARGE = 20 * 1024 * 1024
LEFT_OUT = {
    ".git",
    ".hg",
    "__pycache__",
    ".venv",
    "venv",
    "node_modules",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
}
# Sums come in another order in every run, and Adam steps as far on a small gradient as on a large one; relative to the largest
# weight of an array.
TOLERANCE = 5e-3
# Of numbers that are printed.
PRINTED_TOLERANCE = 1e-2


@dataclass
class Row:
    """One line of the table; `verdict` is ok, differs, failed or open."""

    check: str
    verdict: str
    detail: str


@dataclass
class Job:
    """What Pytrope asks for; `files` are the texts that changed, by their path below `root`."""

    root: pathlib.Path
    entry: str
    module: str | None
    files: dict[str, str]
    framework: str
    target: str
    ranks: int = 2
    steps: int | None = 50
    timeout: int = 300
    arguments: tuple[str, ...] = ()


def copy_project(root: pathlib.Path, to: pathlib.Path) -> None:
    """A copy of the project that runs may write to; large files are links to the real ones."""

    def copy(source: str, target: str) -> None:
        path = pathlib.Path(source)
        if path.stat().st_size > LARGE:
            pathlib.Path(target).symlink_to(path.resolve())
        else:
            shutil.copy2(source, target)

    def leave_out(_folder: str, names: list[str]) -> set[str]:
        return LEFT_OUT.intersection(names)

    shutil.copytree(root, to, ignore=leave_out, copy_function=copy, ignore_dangling_symlinks=True)


class Session:
    """The runs of one job below a temporary folder."""

    def __init__(self, job: Job, folder: pathlib.Path, python: str, gpus: int) -> None:
        self.job = job
        self.folder = folder
        self.rows: list[Row] = []
        copy_project(job.root, folder / "original")
        copy_project(job.root, folder / "output")
        for name, text in job.files.items():
            path = folder / "output" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        cuda = gpus >= job.ranks
        self.launcher = Launcher(folder / "runs", {job.framework: python}, cuda)
        # Ranks cannot share a GPU: where there are fewer, one rank is run on one.
        self.gpu = Launcher(folder / "gpu-runs", {job.framework: python}, True) if 0 < gpus < job.ranks else None

    def run(
        self, name: str, kind: str, size: int, launcher: Launcher | None = None, **options: Any
    ) -> list[dict[str, Any]]:
        """Run the original or the output; every rank in a copy of its own, or all in one where a rank needs another's files."""
        job = self.job
        root = self.folder / kind
        options = {
            "argv": list(job.arguments),
            "module": job.module,
            "root": str(root),
            "timeout": job.timeout,
            "synthetic": True,
            "template": root,
            "steps": job.steps,
            **options,
        }
        target = job.target if kind == "output" else None
        script = root / job.entry
        launcher = launcher or self.launcher
        try:
            return launcher.run(name, job.framework, target, script, size, **options)
        except RunFailed as failure:
            # Without a file of rank 0's, another rank may fail in any way: `latest_checkpoint` gives None.
            if size < 2 or "out of time" in str(failure):
                raise
            ranks = launcher.run(name, job.framework, target, script, size, shared=True, **options)
            for rank in ranks:
                rank["files"] = None
            return ranks

    def add(self, check: str, is_good: bool, detail: str, bad: str = "differs") -> None:
        self.rows.append(Row(check, "ok" if is_good else bad, detail))

    def verify(self) -> list[Row]:
        job = self.job
        same: dict[str, Any] = {"in_order": True, "same_seed": True}
        try:
            [original] = self.run("original", "original", 0, **same)
        except RunFailed as failure:
            self.rows.append(Row("run", "failed", f"the original fails here, so nothing is compared: {_last(failure)}"))
            return self.rows
        if not original["losses"]:
            self.rows.append(Row("run", "failed", "the original takes no step here, so nothing is compared"))
            return self.rows
        # Horovod keeps each rank's batch, so a rank takes its share of the steps.
        per_rank = job.steps and (max(1, job.steps // job.ranks) if job.target == "horovod" else job.steps)
        try:
            ranks = self.run("ranks", "output", job.ranks, **{**same, "steps": per_rank})
            other = self.run("seeds", "output", job.ranks, steps=per_rank)
            [alone] = self.run("alone", "output", 1, **same)
        except RunFailed as failure:
            self.rows.append(Row("run", "failed", _last(failure)))
            return self.rows
        self.add(
            "run",
            True,
            f"the original, {job.ranks} ranks from equal and from different seeds, and one rank alone end well",
        )
        self._compare_steps(original, ranks)
        self._compare_weights(original, ranks, other, alone)
        if self.gpu:
            self._compare_on_gpu(self.gpu, same)
        self._compare_samples(original, ranks)
        self._compare_lines(original, ranks)
        self._compare_files(original, ranks)
        return self.rows

    def _compare_steps(self, original: dict[str, Any], ranks: list[dict[str, Any]]) -> None:
        counts = [len(rank["losses"]) for rank in ranks]
        alike = len(set(counts)) == 1 and counts[0] > 0
        stopped = f", where it was stopped (--verify={self.job.steps})" if original.get("stopped") else ""
        self.add("steps", alike, f"{_and(counts)} on the ranks, {len(original['losses'])} in one process{stopped}")

    def _compare_weights(
        self, original: dict[str, Any], ranks: list[dict[str, Any]], other: list[dict[str, Any]], alone: dict[str, Any]
    ) -> None:
        equal = len({rank["hash"] for rank in other}) == 1 and other[0]["count"] > 0
        self.add(
            "weights",
            equal,
            f"{other[0]['count']} arrays, equal on all ranks that started from different seeds"
            if equal
            else "the ranks end with different weights",
            bad="failed",
        )
        single, lost = weights_differ_by(original, alone), losses_differ_by(original, [alone])
        self.add(
            "one rank",
            single <= TOLERANCE,
            f"weights differ from the original's by {single:.1g}, losses by {lost:.1g}",
        )
        if self.job.target == "horovod":
            self.rows.append(
                Row("ranks", "open", "each rank keeps the batch and the learning rate is scaled: other steps are taken")
            )
        else:
            comparison = compare_runs(original, ranks, self._run_up_to, self._run_reversed, TOLERANCE)
            verdict, detail = comparison.judge(TOLERANCE)
            self.rows.append(Row("ranks", verdict, detail))

    def _run_up_to(self, steps: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Original and ranks on the same samples, ended after so many steps."""
        same: dict[str, Any] = {"in_order": True, "same_seed": True, "steps": steps}
        [original] = self.run("original-part", "original", 0, **same)
        return original, self.run("ranks-part", "output", self.job.ranks, **same)

    def _run_reversed(self, steps: int | None) -> dict[str, Any]:
        """The original with the samples of each batch in reverse order."""
        same: dict[str, Any] = {"in_order": True, "same_seed": True, "reversed": True}
        if steps is not None:
            same["steps"] = steps
        [turned] = self.run("reversed", "original", 0, **same)
        return turned

    def _compare_on_gpu(self, gpu: Launcher, same: dict[str, Any]) -> None:
        """One rank under the launcher's environment on a GPU, beside the original on it."""
        try:
            [original] = self.run("original", "original", 0, gpu, **same)
        except RunFailed as failure:
            self.rows.append(Row("one GPU", "open", f"the original fails on it: {_last(failure)}"))
            return
        try:
            [rank] = self.run("rank", "output", 1, gpu, launched=True, **same)
        except RunFailed as failure:
            self.rows.append(Row("one GPU", "failed", _last(failure)))
            return
        verdict, detail = Comparison(original, [rank]).judge(TOLERANCE)
        self.rows.append(Row("one GPU", verdict, detail))

    def _compare_samples(self, original: dict[str, Any], ranks: list[dict[str, Any]]) -> None:
        coverage = Coverage(original["samples"], [rank["samples"] for rank in ranks])
        if not coverage.read:
            self.rows.append(Row("samples", "open", str(coverage)))
            return
        # The last samples may be repeated or left out to make the parts equally long.
        passes = max(1, len(original["samples"]))
        spare = passes * self.job.ranks
        batch = Comparison(original, ranks).batch
        differs = coverage.missing > spare or coverage.overlap > spare
        if differs and original.get("stopped") and batch % self.job.ranks:
            detail = (
                f"{coverage}, where the runs were stopped: a batch of {batch} is no multiple of {self.job.ranks} ranks"
            )
            self.rows.append(Row("samples", "open", detail))
            return
        self.add("samples", not differs, str(coverage))

    def _compare_lines(self, original: dict[str, Any], ranks: list[dict[str, Any]]) -> None:
        silent = not any(rank["stdout"].strip() for rank in ranks[1:])
        if not silent:
            self.add("printed", False, "other ranks than 0 print")
            return
        lines = Lines(original["stdout"], ranks[0]["stdout"])
        if lines.count[0] != lines.count[1]:
            is_share = self.job.target == "horovod"
            detail = f"{lines.count[1]} lines on rank 0, {lines.count[0]} in one process"
            self.rows.append(Row("printed", "open" if is_share else "differs", detail))
        elif lines.other_words:
            self.add("printed", False, lines.other_words)
        elif lines.difference > PRINTED_TOLERANCE and lines.apart:
            comparison = Comparison(original, ranks)
            comparable = (
                self.job.target != "horovod" and not comparison.layers and comparison.compared == comparison.steps[0]
            )
            detail = f"{lines.count[0]} lines; {lines.apart[0]!r} became {lines.apart[1]!r}"
            self.rows.append(Row("printed", "differs" if comparable else "open", detail))
        else:
            count = "1 line" if lines.count[0] == 1 else f"{lines.count[0]} lines"
            detail = f"{count} by rank 0 only, numbers within {max(lines.difference, 1e-9):.1g}"
            self.add("printed", True, detail)

    def _compare_files(self, original: dict[str, Any], ranks: list[dict[str, Any]]) -> None:
        if ranks[0]["files"] is None:
            self.rows.append(Row("files", "open", "ranks read each other's files, so it was not told apart who writes"))
            return
        written = sorted({name for rank in ranks[1:] for name in rank["files"]})
        # Names that are made of the time or a process id are others in every run.
        known = {NUMBER.sub("#", name) for name in ranks[0]["files"]}
        missing = sorted(name for name in original["files"] if NUMBER.sub("#", name) not in known)
        if written:
            self.add("files", False, f"other ranks than 0 write {_and(written[:3])}")
        elif missing:
            self.add("files", False, f"rank 0 does not write {_and(missing[:3])}")
        elif other := self._saved_otherwise(original, ranks[0]):
            self.add("files", False, other)
        else:
            self.add("files", True, f"rank 0 writes {_and(ranks[0]['files'][:4]) or 'none'}, the others none")

    def _saved_otherwise(self, original: dict[str, Any], rank: dict[str, Any]) -> str | None:
        """A file whose parts have other names than the original's, which the original could not load."""
        # `fully_shard` saves optimizer states by the names of parameters.
        if self.job.target == "fsdp2":
            return None
        saved = {NUMBER.sub("#", name): parts for name, parts in rank["saved"].items()}
        for name, parts in original["saved"].items():
            others = saved.get(NUMBER.sub("#", name), parts)
            if parts != others:
                added = sorted(set(others) - set(parts)) or sorted(set(parts) - set(others))
                return f"{name} holds other parts: {_and(added[:2])}"
        return None

    def close(self) -> None:
        self.launcher.close()
        if self.gpu:
            self.gpu.close()


def _last(failure: RunFailed) -> str:
    lines = [line.strip() for line in str(failure).splitlines() if line.strip()]
    errors = [line for line in lines if "Error" in line or "SystemExit" in line or "failed:" in line]
    return (errors or lines or ["it ended without a word"])[-1][:300]


def _and(values: list[Any]) -> str:
    return ", ".join(str(value) for value in values)


def print_table(rows: list[Row]) -> None:
    width = max(len(row.check) for row in rows)
    for row in rows:
        print(f"  {row.check:{width}}  {row.verdict:7}  {row.detail}")


def devices(framework: str, python: str) -> tuple[str, int]:
    """The framework's version, and how many GPUs it sees."""
    module = "torch" if framework == "torch" else "tensorflow"
    count = "torch.cuda.device_count()" if framework == "torch" else "0"
    probe = f"import {module}; print({module}.__version__, {count})"
    done = subprocess.run([python, "-c", probe], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "", 0
    version, gpus = done.stdout.split()[-2:]
    return f"{module} {version}", int(gpus)


def verify_job(description: dict[str, Any], python: str = sys.executable) -> tuple[str, list[Row]]:
    """Verify a script in a temporary folder; a line that says what was run with, and the table."""
    job = Job(
        **{**description, "root": pathlib.Path(description["root"]), "arguments": tuple(description["arguments"])}
    )
    version, gpus = devices(job.framework, python)
    if not version:
        needs = "PyTorch" if job.framework == "torch" else "TensorFlow"
        return "", [Row("run", "failed", f"{python} has no {needs}: name another by --python")]
    cuda = gpus >= job.ranks
    with tempfile.TemporaryDirectory(prefix="pytrope-verify-") as folder:
        session = Session(job, pathlib.Path(folder), python, gpus)
        try:
            rows = session.verify()
        except RunFailed as failure:
            rows = [*session.rows, Row("run", "failed", _last(failure))]
        finally:
            session.close()
    steps = "all steps" if job.steps is None or math.isinf(job.steps) else f"at most {job.steps} steps"
    where = "one GPU per rank" if cuda else "CPU, and one rank on a GPU" if gpus else "CPU"
    return f"{job.entry}: {job.target}, {job.ranks} ranks, {steps}, {version}, {where}", rows


def main(arguments: list[str]) -> int:
    """`JOB.json`: prints the table, or with a second argument `json` one JSON object."""
    with open(arguments[0]) as given:
        description = json.load(given)
    head, rows = verify_job(description)
    if arguments[1:] == ["json"]:
        print(json.dumps([row.__dict__ for row in rows]))
    else:
        print(head)
        print_table(rows)
    return 1 if any(row.verdict in ("failed", "differs") for row in rows) else 0
