"""Measures `pytrope distribute` on a folder of scripts of others: what is accepted is run beside the original, what is refused is listed.

    python3 tests/distribute/wild.py FOLDER --list NAMES.txt --torch PYTHON [--tensorflow PYTHON] [--judged FILE] [--results FILE]

FOLDER holds the scripts (whole repositories); NAMES.txt names one script per line, below FOLDER.  An accepted script is run by
the code of `pytrope distribute --verify` in the interpreter of its framework.  Its verdict:

    right           nothing differs
    wrong           the original runs, and the output fails or differs
    not runnable    the original itself fails here (data, packages or arguments are missing)
    refused         with rule and message; FILE says per script whether that is `fair` or `unfair`, and why:

        path/to/script.py  fair    no sample axis: one graph is trained on whole

--results keeps the answers, one JSON object per line, so that a run that was cut short goes on; a changed binary needs a new file.
The scripts are not part of this repository.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run_command(options, *command):
    """Exit code, standard output and error of one command; None where it ran out of time."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", MPLBACKEND="Agg", TF_CPP_MIN_LOG_LEVEL="3", TF_USE_LEGACY_KERAS="1")
    # Nothing is fetched from the network.
    environment.update(no_proxy="", http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")
    environment["PYTHONPATH"] = str(ROOT / "python" / "pytrope")
    # The ranks are ended with the command that started them.
    with subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", env=environment, start_new_session=True) as process:
        try:
            printed, said = process.communicate(timeout=options.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, "", ""
    return process.returncode, printed, said


def rewrite(options, script, to):
    """Distribute a script into a folder; exit code and what is said."""
    if options.pytrope.name == "rewrite":
        code, _, said = run_command(options, options.pytrope, script, "-o", to)
    else:
        code, _, said = run_command(options, options.pytrope, "distribute", script, "-o", to, "--output-format", "concise")
    return code, said


def verify(options, script, to, python):
    """Run original and output beside each other; exit code and the table's rows."""
    root = script.parent
    outside = [path for path in to.rglob("*.py") if not (root / path.relative_to(to)).exists()]
    if outside or not (to / script.name).exists():
        return None, [], "the output is a package, which is run with -m"
    files = {str(path.relative_to(to)): path.read_text() for path in to.rglob("*.py")}
    framework = "horovod" if python == options.tensorflow else "torch"
    job = {"root": str(root), "entry": script.name, "module": None, "files": files, "framework": framework,
           "target": "ddp" if framework == "torch" else "horovod", "steps": options.steps, "timeout": options.timeout // 4, "arguments": []}
    (to / "job.json").write_text(json.dumps(job))
    code, printed, said = run_command(options, python, "-m", "distribute_verify", to / "job.json")
    rows = [re.sub(r"\s+", " ", line.strip()) for line in printed.splitlines() if re.match(r"  \w.*?  +(ok|differs|failed|open) ", line)]
    return code, rows, said


def framework_of(text):
    return "tensorflow" if re.search(r"^\s*(import|from) (tensorflow|keras)\b", text, re.M) else "torch"


def judge_script(options, script):
    """One script's answer: a verdict, and the reason in a line."""
    with tempfile.TemporaryDirectory(prefix="wild-") as folder:
        to = pathlib.Path(folder) / "output"
        code, said = rewrite(options, script, to)
        if code is None:
            return "crash", "no answer in time"
        if code == 1:
            lines = [line for line in said.splitlines() if re.search(r"PT\d{3}", line)]
            return "refused", (lines or said.splitlines() or ["no reason"])[0].partition(".py:")[2]
        if code != 0:
            return "crash", f"exit code {code}: {said.strip()[-200:]}"
        python = options.tensorflow if framework_of(script.read_text(errors="replace")) == "tensorflow" else options.torch
        if python is None:
            return "not runnable", "no interpreter with the framework"
        code, rows, said = verify(options, script, to, python)
    if code is None:
        return "not runnable", said or f"{options.steps} steps take longer than {options.timeout} s"
    bad = [row for row in rows if re.search(r"^[\w ]+? (differs|failed) ", row)]
    if any("so nothing is compared" in row for row in bad):
        return "not runnable", bad[0].partition("run failed ")[2]
    if bad:
        return "wrong", "; ".join(bad)
    if code != 0 or not rows:
        return "crash", said.strip()[-200:]
    return "right", "; ".join(row for row in rows if re.search(r"^[\w ]+? open ", row))


def read_judgements(path):
    judged = {}
    for line in path.read_text().splitlines() if path else []:
        parts = re.split(r"\s{2,}|\t", line.strip(), maxsplit=2)
        if len(parts) >= 2 and not line.startswith("#"):
            judged[parts[0]] = (parts[1], parts[2] if len(parts) > 2 else "")
    return judged


def print_table(answers, judged):
    rows = []
    for name, (verdict, reason) in answers.items():
        if verdict == "refused":
            fairness, why = judged.get(name, ("not judged", ""))
            verdict, reason = f"{fairness} refusal" if fairness != "not judged" else "refused", f"{reason}{' -- ' + why if why else ''}"
        elif name in judged and judged[name][0] not in ("fair", "unfair"):
            # A reader's verdict on a row that the runs misjudge, with the reason.
            verdict, reason = judged[name][0], f"{judged[name][1]} (the runs: {verdict}, {reason})"
        rows.append((verdict, name, reason))
    for verdict, name, reason in sorted(rows):
        print(f"{verdict:16} {name}: {reason}")
    print()
    counts = collections.Counter(verdict for verdict, _, _ in rows)
    for verdict, count in sorted(counts.items()):
        print(f"{count:4} {verdict}")
    print(f"{len(rows):4} scripts")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path, help="scripts below the folder, one per line; without it all .py files")
    parser.add_argument("--pytrope", type=pathlib.Path, default=ROOT / "target" / "release" / "pytrope")
    parser.add_argument("--torch", type=pathlib.Path, default=pathlib.Path(sys.executable), help="an interpreter with PyTorch")
    parser.add_argument("--tensorflow", type=pathlib.Path, help="an interpreter with TensorFlow and Horovod")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--timeout", type=int, default=240)
    parser.add_argument("--jobs", type=int, default=1, help="scripts at the same time")
    parser.add_argument("--judged", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, help="answers so far")
    parser.add_argument("--only", default="", help="scripts whose name contains this")
    options = parser.parse_args()
    names = options.list.read_text().split("\n") if options.list else [str(p.relative_to(options.folder)) for p in sorted(options.folder.rglob("*.py"))]
    names = [name for name in names if name and options.only in name]
    answers = {}
    if options.results and options.results.exists():
        for line in options.results.read_text().splitlines():
            one = json.loads(line)
            answers[one["name"]] = (one["verdict"], one["reason"])
    def answer(name):
        answers[name] = judge_script(options, options.folder / name)
        print(f"{answers[name][0]}: {name}: {answers[name][1]}"[:200], file=sys.stderr, flush=True)
        if options.results:
            with options.results.open("a") as out:
                out.write(json.dumps({"name": name, "verdict": answers[name][0], "reason": answers[name][1]}) + "\n")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(answer, [name for name in names if name not in answers]))
    counts = print_table({name: answers[name] for name in names}, read_judgements(options.judged))
    return 1 if counts["wrong"] or counts["crash"] else 0


if __name__ == "__main__":
    sys.exit(main())
