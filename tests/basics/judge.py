"""Check the programs and their correct twins: `python judge.py --binary target/release/pytrope [--page PAGE] [--verbose]`.

A mistake is found if a finding has its line and its class. Prints `N passed, M failed` in the end: every finding in a correct twin, every finding
beside the mistake, and each mistake below the floor of its page is a failure.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from programs import HERE, pages, programs_of

# How many mistakes of each page are found at least.
FLOORS = {}


def findings_of(binary, folder):
    command = [binary, "check", "--isolated", "--exit-zero", "--output-format", "json", "."]
    report = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    found = {}
    for finding in json.loads(report)["diagnostics"]:
        if finding["severity"] == "error":
            found.setdefault(Path(finding["path"]).stem, []).append(finding)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--page", choices=pages(), action="append")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    outcomes = {}
    for row in (HERE / "outcomes.tsv").read_text(encoding="utf-8").splitlines():
        page, title, *outcome = row.split("\t")
        outcomes[page, title] = outcome
    passed = failed = 0
    for page in options.page or pages():
        programs = list(programs_of(page))
        found = missed = 0
        with tempfile.TemporaryDirectory() as folder:
            for position, program in enumerate(programs):
                for kind, mark in (("wrong", "-"), ("right", "+")):
                    path = Path(folder) / f"{kind}_{position}.py"
                    path.write_text(program.text_of(mark), encoding="utf-8")
            findings = findings_of(options.binary.resolve(), folder)
        for position, program in enumerate(programs):
            raised, line = outcomes[page, program.title]
            reported = findings.get(f"wrong_{position}", [])
            is_found = any(one["raises"] == raised and one["line"] == int(line) for one in reported)
            found += is_found
            missed += not is_found
            if options.verbose and not is_found:
                print(f"not found: {page}: {program.title}: {raised} in line {line}, reported {[(one['line'], one['raises']) for one in reported]}")
            beside = [one for one in reported if one["raises"] != raised or one["line"] != int(line)]
            for one in beside + findings.get(f"right_{position}", []):
                failed += 1
                print(f"false: {page}: {program.title}: line {one['line']}: {one['message']}")
        print(f"{page}: {found} of {found + missed} mistakes found at their line and class")
        failed += max(0, FLOORS.get(page, 0) - found)
        passed += found
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
