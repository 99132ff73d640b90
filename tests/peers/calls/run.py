"""Random valid calls of a library, run for real and checked: nothing may be reported of them.

    python run.py --binary target/release/pytrope --library numpy --count 2000 [--seed S]

The seed is fresh unless it is given, and printed. A call is kept if the library takes it; uses of its result are added that work.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cpython"))
import draw  # noqa: E402
from guard import guarded  # noqa: E402

CHUNK = 50
# Models can be tried without building them in: a configuration names their folder.
CONFIGURATION = ["--isolated"]


def check(binary, library, blocks, folder):
    """The findings of a file with these blocks, with the block each is about."""
    lines = draw.PRELUDES[library].splitlines() or ["pass"]
    owners = {}
    for block in blocks:
        lines.append("def asked():")
        for line in block:
            lines.append(f"    {line}")
            owners[len(lines)] = block
        lines.append("asked()")
    path = pathlib.Path(folder) / "calls.py"
    path.write_text("\n".join(lines) + "\n")
    command = [binary, "check", *CONFIGURATION, "--exit-zero", "--quiet", "--output-format", "json", path.name]
    report = json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)
    found = []
    for finding in report["diagnostics"]:
        if finding["severity"] == "error" and finding["raises"] and finding["line"] in owners:
            found.append((owners[finding["line"]], lines[finding["line"] - 1].strip(), f"{finding['code']} {finding['raises']}: {finding['message']}"))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--library", choices=sorted(draw.PRELUDES), required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--config", help="a configuration for the binary, such as one with `models`")
    arguments = parser.parse_args()
    if arguments.config:
        CONFIGURATION[:] = ["--config", arguments.config]
    seed = random.SystemRandom().randrange(10**9) if arguments.seed is None else arguments.seed
    jobs = [(f"{seed}/{at}", min(CHUNK, arguments.count - at), arguments.library) for at in range(0, arguments.count, CHUNK)]
    # What a library maps into memory is not what its calls take.
    exec(draw.PRELUDES[arguments.library], {})  # noqa: S102
    results = guarded(jobs, lambda job: draw.draw(*job))
    blocks = [block for result, _ in results for block in result or []]
    lost = [why for result, why in results if result is None]
    failed = {}
    with tempfile.TemporaryDirectory() as folder:
        for at in range(0, len(blocks), 200):
            for block, line, said in check(arguments.binary, arguments.library, blocks[at : at + 200], folder):
                failed.setdefault(block[0], (block, line, said))
    for block, line, said in failed.values():
        print(block[0])
        if line != block[0]:
            print(f"    then {line}")
        print(f"    {said}")
    print(f"{arguments.library}, seed {seed}: {len(lost)} of {len(jobs)} chunks cut off")
    print(f"{len(blocks) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
