"""What the certainty of a finding rests on, and how often each kind was false among the findings that were judged by reading.

    python evidence.py --report CACHE/runs/SEED/report.json --verdicts VERDICTS --seed SEED    # adds a run to judged.jsonl
    python evidence.py                                                                          # prints the table of judged.jsonl

VERDICTS has one line for each judgement that is not `true`: `PACKAGE PATTERN VERDICT CAUSE`. PATTERN is a part of the path, the line or the
message of a finding, or `*`; a later line wins. A finding is *false* if the operation can be reached and does not raise, *vacuous* if nothing reaches it
(a branch for Python 2, a template), *deliberate* if the file is wrong on purpose.
"""

import argparse
import collections
import json
import pathlib

JUDGED = pathlib.Path(__file__).parent / "judged.jsonl"
BUILTIN_TYPES = {"bool", "bytes", "bytearray", "complex", "dict", "float", "frozenset", "function", "int", "list", "object", "set", "str", "tuple"}
BY_RULE = {
    "bad-encoding": "a file that cannot be read",
    "bad-operand": "an operator and the types of its operands",
    "index-range": "the length of a sequence",
    "missing-key": "the keys of a dictionary",
    "not-callable": "what a name that is called stands for",
    "not-iterable": "a value that is iterated",
    "other-error": "a value or a format",
    "syntax-error": "a file that does not compile",
    "unbound-local": "a local that no path binds",
    "undefined-name": "a name that nothing binds",
    "unpack-count": "the length of a sequence",
    "wrong-arguments": "the parameters of what is called",
    "zero-division": "an operator and the types of its operands",
}


def kind_of(finding):
    """What must be known for a finding to be true."""
    rule, message = finding["rule"], finding["message"]
    if message.startswith("may fail"):
        return "that what is kept was not changed"
    if rule == "missing-attribute":
        owner = message.split("'")[1] if "'" in message else ""
        if message.startswith(("cannot import", "module ")):
            return "the names of a module"
        if owner == "NoneType":
            return "that a value is None"
        if message.startswith("type object"):
            return "the attributes of a class"
        return "the attributes of a builtin value" if owner in BUILTIN_TYPES else "the attributes of an instance"
    if finding["code"].startswith("PT2"):
        return "shapes and dtypes"
    return BY_RULE.get(rule, rule)


def read_verdicts(path):
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            package, pattern, verdict, *cause = line.split(" ", 3)
            yield package, pattern.replace("~", " "), verdict, "".join(cause)


def judge(finding, package, verdicts):
    judged = ("true", "")
    for name, pattern, verdict, cause in verdicts:
        shown = f"{finding['path']}:{finding['line']} {finding['message']}"
        if name == package and (pattern == "*" or pattern in shown):
            judged = (verdict, cause)
    return judged


def add_run(report, verdicts, seed):
    verdicts = list(read_verdicts(verdicts))
    kept = [row for row in read_judged() if row["seed"] != seed]
    for package in json.loads(report.read_text()):
        for finding in package["findings"]:
            verdict, cause = judge(finding, package["name"], verdicts)
            row = {"seed": seed, "package": package["name"], "path": finding["path"], "line": finding["line"], "code": finding["code"]}
            row |= {"kind": kind_of(finding), "message": finding["message"][:160], "verdict": verdict}
            kept.append(row | ({"cause": cause} if cause else {}))
    JUDGED.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept))


def read_judged():
    # Messages may hold separators of lines that `splitlines` knows too.
    return [json.loads(line) for line in JUDGED.read_text().split("\n") if line] if JUDGED.exists() else []


def table(rows):
    """True and false findings of each kind, and the causes of the false ones: many findings of one cause count once there."""
    kinds = collections.defaultdict(collections.Counter)
    causes = collections.defaultdict(set)
    for row in rows:
        kinds[row["kind"]][row["verdict"]] += 1
        if row["verdict"] == "false":
            causes[row["kind"]].add((row["package"], row.get("cause", "")))
    print("| certainty rests on | true | false | causes of these | right |\n|---|---|---|---|---|")
    order = sorted(kinds, key=lambda kind: -sum(kinds[kind].values()))
    for kind in order:
        right, wrong = kinds[kind]["true"], kinds[kind]["false"]
        share = f"{right / (right + wrong):.0%}" if right + wrong else ""
        print(f"| {kind} | {right} | {wrong} | {len(causes[kind])} | {share} |")
    right = sum(count["true"] for count in kinds.values())
    wrong = sum(count["false"] for count in kinds.values())
    print(f"| all | {right} | {wrong} | {sum(map(len, causes.values()))} | {right / max(right + wrong, 1):.0%} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--verdicts", type=pathlib.Path)
    parser.add_argument("--seed", default="")
    arguments = parser.parse_args()
    if arguments.report:
        add_run(arguments.report, arguments.verdicts, arguments.seed)
    table(read_judged())


if __name__ == "__main__":
    main()
