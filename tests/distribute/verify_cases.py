"""`pytrope distribute --verify` accepts a right output and sees what is wrong with a changed one."""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "python" / "pytrope"))

from distribute_verify.session import verify_job  # noqa: E402

SCRIPT = ROOT / "examples" / "train.py"

# What a wrong output does, the text it changes, and the check that must see it.
FAULTS = [
    ("the module is not wrapped", "model = DDP(model)\n", "model = torch.nn.DataParallel(model)\n", "weights"),
    ("all ranks read the same samples", "DistributedSampler(train_dataset, shuffle=True)",
     "DistributedSampler(train_dataset, num_replicas=1, rank=0, shuffle=True)", "samples"),
    ("the batch is not divided", "max(1, 32 // dist.get_world_size())", "32", "steps"),
    ("every rank prints", "if dist.get_rank() == 0:\n        print", "if True:\n        print", "printed"),
    ("every rank saves", "if dist.get_rank() == 0:\n    torch.save", "if True:\n    torch.save", "files"),
    ("the wrapper's state is saved", "model.module.state_dict()", "model.state_dict()", "files"),
    ("a rank ends with an error", "dist.destroy_process_group()", "assert dist.get_rank() == 0", "run"),
]


def verdicts(text, python):
    job = {"root": str(SCRIPT.parent), "entry": SCRIPT.name, "module": None, "files": {SCRIPT.name: text},
           "framework": "torch", "target": "ddp", "arguments": [], "steps": None}
    return {row.check: row for row in verify_job(job, str(python))[1]}


def run(pytrope, python):
    """How many cases passed and failed."""
    results = []
    command = [str(pytrope), "distribute", str(SCRIPT), "--verify", "--python", str(python), "--output-format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    rows = json.loads(done.stdout)["verify"] if done.stdout else []
    good = done.returncode == 0 and len(rows) == 8 and all(row["verdict"] == "ok" for row in rows)
    results.append(("a right output", good, done.stdout + done.stderr))
    written = subprocess.run([str(pytrope), "distribute", str(SCRIPT)], capture_output=True, text=True).stdout
    for name, old, new, check in FAULTS:
        if old not in written:
            results.append((name, False, f"{old!r} is not in the output"))
            continue
        found = verdicts(written.replace(old, new), python)
        row = found.get(check)
        # What is not divided shows as more steps than the original takes.
        seen = row is not None and (row.verdict in ("differs", "failed") or check == "steps" and found["ranks"].verdict != "ok")
        results.append((name, seen, str(found)))
    for name, good, detail in results:
        print(f"{'ok  ' if good else 'FAIL'} verify: {name}" + ("" if good else f"\n     {detail}"), flush=True)
    return sum(good for _, good, _ in results), sum(not good for _, good, _ in results)


if __name__ == "__main__":
    passed, failed = run(*sys.argv[1:3])
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
