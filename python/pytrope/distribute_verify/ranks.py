# Runs in the interpreter that has the framework, which type checkers of this package do not see.
# mypy: ignore-errors
# pyright: basic, reportMissingImports=false, reportMissingModuleSource=false, reportAttributeAccessIssue=false
"""Runs scripts as ranks: imports the framework once, then forks one child per script and rank.

Reads one JSON job per line from standard input and answers one JSON line when its ranks are done.  Started by file name
with the framework as its argument, so it imports its neighbours from its own folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import random
import runpy
import signal
import sys
import time
import traceback
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))


def preload(framework: str) -> None:
    """Import what every rank will import, and nothing that starts threads or touches a GPU."""
    if framework == "torch":
        names = ["torch", "torch.distributed", "torch.optim", "torch.utils.data"]
        # The stand-ins of its data sets import it in every rank.
        if importlib.util.find_spec("torchvision") is not None:
            names += ["torchvision"]
    else:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        names = ["tensorflow", "tensorflow.compat.v1"]
        if framework == "horovod":
            names += ["horovod.tensorflow", "horovod.tensorflow.keras"]
    for name in names:
        importlib.import_module(name)


def run_rank(framework: str, job: dict[str, Any], rank: int, report: str) -> None:
    """One rank, in a process of its own: never returns."""
    os.chdir(job["folders"][rank])
    os.environ.update(job["env"][rank])
    for stream, number in (("stdout", 1), ("stderr", 2)):
        name = os.path.join(job["logs"], f"rank{rank}.{stream}")
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    import numpy as np
    import observe

    seed = 1000 + (0 if job.get("same_seed") else rank)
    random.seed(seed)
    np.random.seed(seed)
    watch = observe.watch_framework(framework, seed, job)
    code, answer = 0, {}
    try:
        if job.get("synthetic"):
            import synthetic

            synthetic.install(framework)
        try:
            run_script(job)
        except observe.EnoughSteps:
            answer["stopped"] = True
        except SystemExit as end:
            if end.code not in (None, 0):
                raise
        answer.update(watch.describe_weights(job.get("weights_to"), rank))
    except BaseException:  # noqa: BLE001
        # Every end of a rank is reported.
        traceback.print_exc()
        answer["error"] = traceback.format_exc()[-2000:]
        code = 1
    answer.update(code=code, losses=watch.losses, samples=watch.samples, layers=sorted(watch.layers), draws=watch.draws)
    answer["saved"] = watch.saved
    sys.stdout.flush()
    sys.stderr.flush()
    with open(report, "w") as out:
        json.dump(answer, out)
    os._exit(code)


def run_script(job: dict[str, Any]) -> None:
    """The script, or with ``module`` the module that ``python -m`` would run, as the main program."""
    script = job["script"]
    sys.argv = [script, *job.get("argv", [])]
    # The zygote's own folder is not the script's.
    sys.path[:] = [place for place in sys.path if place != HERE]
    sys.path.extend(job.get("path", []))
    if job.get("module"):
        sys.path.insert(0, job["root"])
        runpy.run_module(job["module"], run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(script))
        runpy.run_path(script, run_name="__main__")


def run_job(framework: str, job: dict[str, Any]) -> dict[str, Any]:
    """Fork the ranks of a job and wait for them; when one fails, the others would wait forever and get five seconds."""
    reports: list[str] = []
    alive: set[int] = set()
    for rank in range(len(job["folders"])):
        report = os.path.join(job["logs"], f"rank{rank}.json")
        if os.path.exists(report):
            os.remove(report)
        reports.append(report)
        pid = os.fork()
        if pid == 0:
            run_rank(framework, job, rank, report)
        alive.add(pid)
    deadline = time.monotonic() + job["timeout"]
    failed = False
    while alive:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid:
            alive.discard(pid)
            if status != 0:
                failed = True
                deadline = min(deadline, time.monotonic() + 5)
            continue
        if time.monotonic() > deadline:
            for left in alive:
                os.kill(left, signal.SIGKILL)
                os.waitpid(left, 0)
            failed = True
            break
        time.sleep(0.02)
    answers: list[dict[str, Any]] = []
    for report in reports:
        try:
            with open(report) as given:
                answers.append(json.load(given))
        except (OSError, ValueError):
            answers.append(
                {
                    "code": -1,
                    "losses": [],
                    "samples": [],
                    "layers": [],
                    "draws": [],
                    "saved": {},
                    "error": "no report: killed, crashed or out of time",
                }
            )
    return {"ranks": answers, "failed": failed}


def main() -> None:
    framework = sys.argv[1]
    preload(framework)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(run_job(framework, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
