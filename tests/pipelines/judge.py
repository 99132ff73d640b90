"""Check the training scripts and their injected errors: `python judge.py --binary target/release/pytrope [--verbose]`.

A script that runs has no finding; an error is found if a finding has its line and its class. Prints the errors that are not found
with `--verbose`, and `N passed, M failed` in the end: a false finding, and each error below the floor, is a failure.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from run_scripts import HERE, variants

# How many of the errors are found at least.
FLOOR = 30


def findings(binary, folder, name, text):
    path = folder / f"{name.replace('#', '_')}.py"
    path.write_text(text, encoding="utf-8")
    command = [binary, "check", "--isolated", "--exit-zero", "--output-format", "json", path.name]
    report = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    return [finding for finding in json.loads(report)["diagnostics"] if finding["severity"] == "error"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    binary = options.binary.resolve()
    outcomes = dict(line.split("\t") for line in (HERE / "outcomes.tsv").read_text(encoding="utf-8").splitlines())
    found = raising = false = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in variants():
            reported = findings(binary, Path(folder), name, text)
            if outcomes[name] == "runs":
                false += bool(reported)
                for finding in reported:
                    print(f"false: {name}:{finding['line']}: {finding['message']}")
                continue
            raising += 1
            error, line = outcomes[name].split()
            if any(one["raises"] == error and one["line"] == int(line) for one in reported):
                found += 1
            elif options.verbose:
                print(f"not found: {name}: {outcomes[name]}, reported {[(one['line'], one['raises']) for one in reported]}")
    print(f"{found} of {raising} errors found at their line and class, {false} scripts that run are reported")
    failed = false + max(0, FLOOR - found)
    print(f"{found} passed, {failed} failed")


if __name__ == "__main__":
    main()
