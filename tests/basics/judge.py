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
FLOORS = {"first.txt": 115, "second.txt": 40}


def findings_of(binary, folder, text):
    """The errors of one program, which is checked by itself: files of one run are one program."""
    (Path(folder) / "program.py").write_text(text, encoding="utf-8")
    command = [binary, "check", "--isolated", "--no-cache", "--exit-zero", "--output-format", "json", "program.py"]
    report = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    return [finding for finding in json.loads(report)["diagnostics"] if finding["severity"] == "error"]


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
        for program in programs:
            raised, line = outcomes[page, program.title]
            with tempfile.TemporaryDirectory() as folder:
                reported, in_twin = (findings_of(options.binary.resolve(), folder, program.text_of(mark)) for mark in "-+")
            is_found = any(one["raises"] == raised and one["line"] == int(line) for one in reported)
            found += is_found
            missed += not is_found
            if options.verbose and not is_found:
                print(f"not found: {page}: {program.title}: {raised} in line {line}, reported {[(one['line'], one['raises']) for one in reported]}")
            beside = [one for one in reported if one["raises"] != raised or one["line"] != int(line)]
            for one in beside + in_twin:
                failed += 1
                print(f"false: {page}: {program.title}: line {one['line']}: {one['message']}")
        print(f"{page}: {found} of {found + missed} mistakes found at their line and class")
        failed += max(0, FLOORS.get(page, 0) - found)
        passed += found
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
