"""Draws released packages at random, checks them, and tries to refute each finding by running the real thing.

    python run.py --pytrope BINARY --cache FOLDER [--count N] [--seed S] [--only A,B] [--again RUN] [PATH …]

With PATHs (folders, files, notebooks) those are checked instead of packages. Writes under CACHE/runs: `report.json`, `read.md`
(what a person should read: each finding that was not confirmed, with its lines) and `refuted/` (programs that show what was refuted).
"""

import argparse
import concurrent.futures
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

import fetch
import sandbox
import shorten

HERE = pathlib.Path(__file__).parent
CACHE = []
MOST_JUDGED = 30


def names(which):
    lines = (HERE / which).read_text().splitlines()
    return [fetch.normal(line.split("#")[0].strip()) for line in lines if line.split("#")[0].strip()]


def seen_before(seed):
    """Packages that a measurement under another seed has drawn."""
    seen = {}
    for line in (HERE / "seen.txt").read_text().splitlines():
        name, _, under = line.partition("#")
        if name.strip():
            seen[fetch.normal(name.strip())] = under.strip()
    return {name for name, under in seen.items() if under != f"seed {seed}"}


def draw(count, seed):
    """Packages by seed, without those that anything was fitted to or that were drawn before: a figure is one of first sight."""
    excluded = set(names("fitted.txt")) | seen_before(seed)
    fresh = sorted(set(names("packages.txt")))
    random.Random(seed).shuffle(fresh)
    return [name for name in fresh if name not in excluded][:count]


def check(pytrope, folder, targets):
    """The report of `pytrope check`, and how long it took."""
    command = [pytrope, "check", "--isolated", "--exit-zero", "--output-format", "json", *targets]
    start = time.monotonic()
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900)  # noqa: S603
    except subprocess.TimeoutExpired:
        return None, "pytrope took over 900 s", 900.0
    seconds = time.monotonic() - start
    if done.returncode not in (0, 2):
        return None, f"pytrope ended with {done.returncode}: {done.stderr[-300:]}", seconds
    try:
        return json.loads(done.stdout), done.stderr, seconds
    except ValueError:
        return None, f"no report: {done.stderr[-300:]}", seconds


def count_lines(folder, targets):
    total = 0
    paths = [path for target in targets for path in ([folder / target] if (folder / target).is_file() else (folder / target).rglob("*.py"))]
    for path in paths:
        if path.is_file():
            total += path.read_bytes().count(b"\n")
    return total


def place(folder, path):
    """The folder imports start from, and the dotted name of a file."""
    file = (folder / path).resolve()
    parts = [] if file.stem == "__init__" else [file.stem]
    parent = file.parent
    while (parent / "__init__.py").is_file():
        parts.insert(0, parent.name)
        parent = parent.parent
    return parent, ".".join(parts) or file.parent.name


def span(file, finding):
    """Line and byte columns from 0, as CPython counts them."""
    lines = file.read_bytes().split(b"\n")

    def column(line, col):
        if line > len(lines):
            return 0
        return len(lines[line - 1].decode("utf-8", "replace")[: col - 1].encode())

    return [finding["line"], column(finding["line"], finding["column"]), finding["end_line"], column(finding["end_line"], finding["end_column"])]


def judge_file(folder, path, findings, site, python):
    """The verdicts about the findings of one file."""
    file = (folder / path).resolve()
    if file.suffix == ".ipynb":
        return [["not shown", "a notebook"] for _ in findings]
    root, name = place(folder, path)
    # What is installed is what users run; it may have compiled parts that the archive lacks.
    roots, sites = [str(root)], [str(site)] if site else []
    if site:
        twin = site / file.relative_to(root)
        if twin.is_file() and twin.read_bytes() == file.read_bytes():
            file, roots = twin, [str(site)]
        elif (site / name.split(".")[0]).exists():
            # Tests and the like: what they import is the installed package.
            roots = [str(site), str(root)] if "." not in name else [str(root)]
    sites.append(str(fetch.common(CACHE[0], python)))
    job = {"path": str(file), "name": name, "roots": roots, "site": sites, "alone": "." not in name}
    job["findings"] = [{**finding, "span": span(file, finding)} for finding in findings]
    out, why = sandbox.run([python, "-I", str(HERE / "judge.py")], json.dumps(job))
    try:
        answer = json.loads(out.strip().splitlines()[-1])
    except (AttributeError, ValueError, IndexError):
        return [["not shown", f"the judge was cut off: {why}"] for _ in findings]
    used = answer.get("stand_ins")
    note = f" (stand-ins for {', '.join(used[:6])})" if used else ""
    return [[verdict, said + note] for verdict, said in answer["verdicts"]]


def judge(folder, findings, site, python):
    by_file = {}
    # Hundreds of findings in one package have few causes.
    chosen = random.Random(0).sample(findings, min(len(findings), MOST_JUDGED))
    for finding in findings:
        finding["verdict"], finding["why"] = "not shown", "not tried: too many findings in this package"
    for finding in chosen:
        by_file.setdefault(finding["path"], []).append(finding)
    # One child per few findings: a file with hundreds of them must not use up one child's time.
    jobs = [(path, some[at : at + 6]) for path, some in by_file.items() for at in range(0, len(some), 6)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda job: judge_file(folder, job[0], job[1], site, python), jobs))
    for (_, some), verdicts in zip(jobs, answers, strict=True):
        for finding, verdict in zip(some, verdicts, strict=True):
            finding["verdict"], finding["why"] = verdict


def judge_all(rows, run, cache, python):
    for row, folder in rows:
        if row["findings"]:
            judge(folder, row["findings"], fetch.installed(row["name"], cache, python), python)
            write(run, rows)
            print(f"judged {row['name']}: {tally(row['findings'])}", flush=True)


def context(folder, finding):
    try:
        lines = (folder / finding["path"]).read_text("utf-8", "replace").split("\n")
    except OSError:
        return ""
    first = max(finding["line"] - 6, 0)
    shown = lines[first : finding["end_line"] + 3][:16]
    return "\n".join(f"{first + 1 + at:5} {line[:160]}" for at, line in enumerate(shown))


def one(name, folder, targets, arguments, python):
    report, said, seconds = check(arguments.pytrope, folder, targets)
    row = {"name": name, "lines": count_lines(folder, targets), "seconds": round(seconds, 1), "findings": [], "failed": None}
    if report is None:
        row["failed"] = said
        return row
    row["findings"] = [finding for finding in report["diagnostics"] if finding["severity"] != "note" and finding["raises"]]
    row["other"] = len(report["diagnostics"]) - len(row["findings"])
    return row


def write(run, rows):
    (run / "report.json").write_text(json.dumps([row for row, _ in rows], indent=1))


def tally(findings):
    return {verdict: sum(finding.get("verdict") == verdict for finding in findings) for verdict in ("confirmed", "refuted", "not shown")}


def table(rows):
    print(f"{'package':34} {'version':12} {'lines':>9} {'s':>6} {'found':>6} {'confirmed':>9} {'refuted':>8} {'not shown':>9}")
    for row in rows:
        if not row["findings"] and not row["failed"]:
            continue
        count = tally(row["findings"])
        print(
            f"{row['name'][:34]:34} {row.get('version', '')[:12]:12} {row['lines']:9} {row['seconds']:6} {len(row['findings']):6} "
            f"{count['confirmed']:9} {count['refuted']:8} {count['not shown']:9}  {row['failed'] or ''}"
        )
    lines = sum(row["lines"] for row in rows)
    every = [finding for row in rows for finding in row["findings"]]
    print(f"{len(rows)} packages, {lines:,} lines, {len(every)} findings, {sum(not row['findings'] for row in rows)} packages without one")
    for verdict in ("confirmed", "refuted", "not shown"):
        number = sum(finding.get("verdict") == verdict for finding in every)
        print(f"  {verdict:10} {number:5}   {number / max(lines, 1) * 1e6:7.2f} per million lines")
    return every


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pytrope", required=True)
    parser.add_argument("--cache", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", default=None)
    parser.add_argument("--only", default=None)
    parser.add_argument("--name", default=None, help="what the run is called in CACHE/runs")
    parser.add_argument("--again", default=None, help="judge the findings of a run of this name again")
    parser.add_argument("--no-judge", action="store_true")
    parser.add_argument("--fetch-only", action="store_true", help="bring the packages of a draw and check nothing")
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    cache = arguments.cache.resolve()
    CACHE.append(cache)
    python = fetch.python_for_judging()
    seed = arguments.seed or str(random.SystemRandom().randrange(10**6))
    run = cache / "runs" / (arguments.name or ("paths" if arguments.paths else seed))
    shutil.rmtree(run, ignore_errors=True)
    (run / "refuted").mkdir(parents=True)
    rows = []
    if arguments.again:
        rows = [(row, cache / "trees" / row["name"]) for row in json.loads((cache / "runs" / arguments.again / "report.json").read_text())]
        judge_all(rows, run, cache, python)
    elif arguments.paths:
        for path in arguments.paths:
            path = path.resolve()
            folder, targets = (path, ["."]) if path.is_dir() else (path.parent, [path.name])
            row = one(str(path), folder, targets, arguments, python)
            if not arguments.no_judge:
                judge(folder, row["findings"], None, python)
            rows.append((row, folder))
    else:
        chosen = arguments.only.split(",") if arguments.only else draw(arguments.count, seed)
        print(f"seed {seed}: {len(chosen)} packages; judged with {python}", flush=True)
        if arguments.fetch_only:
            with concurrent.futures.ThreadPoolExecutor(3) as pool:
                list(pool.map(lambda name: fetch.unpacked(name, cache), chosen))
            return False
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            fetched = pool.map(lambda name: fetch.unpacked(name, cache), chosen)
            for name, (folder, version) in zip(chosen, fetched, strict=True):
                if folder is None:
                    print(f"left out: {name}: {version}", flush=True)
                    continue
                row = one(name, folder, ["."], arguments, python)
                row["version"] = version
                rows.append((row, folder))
                write(run, rows)
                print(f"{name}: {row['lines']} lines, {row['seconds']} s, {len(row['findings'])} findings", flush=True)
        if not arguments.no_judge:
            judge_all(rows, run, cache, python)
    table([row for row, _ in rows])
    with (run / "read.md").open("w") as read:
        for row, folder in rows:
            for finding in sorted(row["findings"], key=lambda finding: finding.get("verdict", "") != "refuted"):
                if finding.get("verdict") != "confirmed":
                    read.write(f"## {row['name']} {finding['path']}:{finding['line']}:{finding['column']}\n")
                    read.write(f"{finding['code']} {finding['raises']}: {finding['message']}\n")
                    read.write(f"{finding.get('verdict')}: {finding.get('why')}\n```\n{context(folder, finding)}\n```\n")
                if finding.get("verdict") == "refuted":
                    shorten.write(arguments.pytrope, folder, finding, run / "refuted")
    write(run, rows)
    print(f"report and reading list in {run}")
    return any(row["failed"] for row, _ in rows)


if __name__ == "__main__":
    sys.exit(main())
