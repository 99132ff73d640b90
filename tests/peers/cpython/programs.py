"""Random programs: the state CPython ends in is covered by ours, and what we call certain happens.

Some numbers come from `random`, so conditions on them are open to us; each program runs under several seeds. A run that
reaches an operation we report, through the calls we name, must end there, with the class we name. Operations are told
apart by their columns, as CPython's instructions have them. The programs are run in a child with limits on memory and time
(`guard`); one that does too much gives no verdict, which is counted and printed.

    python programs.py --binary target/release/pytrope --count 2000 --seed 1 [--arrays] [--shrink 3]
"""

import argparse
import collections
import importlib
import os
import random
import re
import sys

from covers import covers, exact, written
from expressions import ask
from guard import guarded
from runs import FILE, class_name, execute, loop_spans, spans, unpackings
from shrink import shrink

RUNS = 4


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="failures to print")
    parser.add_argument("--show-missing", type=int, default=0, help="certain errors that are missed, to print")
    parser.add_argument("--shrink", type=int, default=0, help="failures to print as small as they can be made")
    parser.add_argument("--keep", help="folder to keep failing programs in")
    parser.add_argument("--kind", default="makes,many,unknown", help="the generators, in turn: modules of this folder")
    parser.add_argument("--arrays", dest="kind", action="store_const", const="arrays,many_arrays", help="those of programs with NumPy arrays, which this Python must have")
    options = parser.parse_args()
    kinds = [importlib.import_module(kind) for kind in options.kind.split(",")]
    print(f"seed {options.seed}, {options.count} programs of {options.kind}, {RUNS} runs each")
    rng = random.Random(options.seed)
    made, judged, failures, files = 0, 0, [], {}
    tally, without, missing = collections.Counter(), collections.Counter(), options.show_missing
    while judged < options.count:
        batch = {}
        while len(batch) < options.count - judged:
            makes = kinds[made % len(kinds)]
            text = makes.Program(rng).text()
            try:
                compile(text, FILE, "exec")
            except SyntaxError:
                continue
            batch[f"p{made:05}.py"] = makes, text
            made += 1
        for name, (makes, text) in batch.items():
            files[name] = with_questions(text, makes)
        notes, errors = answers(os.path.abspath(options.binary), {name: files[name] for name in batch})
        work = lambda name: judge(*batch[name], errors[name], notes[name])  # noqa: B023, E731
        for (name, (makes, text)), (verdict, why) in zip(batch.items(), guarded(list(batch), work), strict=True):
            if verdict is None or isinstance(verdict, str):
                without[why or verdict] += 1
                continue
            problems, missed, counts = verdict
            judged += 1
            tally += counts
            if problems:
                failures.append((name, makes, text, problems))
            if missed is not None and missing > 0:
                missing -= 1
                print("MISSED", name, missed)
                show(text, len(makes.PRELUDE))
    for name, makes, text, problems in failures[: options.show]:
        print("FAIL", name, *problems[:6], sep="\n    ")
        show(text, len(makes.PRELUDE))
    for name, makes, text, problems in failures[: options.shrink]:
        print("SHRUNK", name, problems[0])
        show(shrink(text, fails_alike(os.path.abspath(options.binary), makes, problems[0])) or "", 0)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        for name, _, _, problems in failures:
            with open(os.path.join(options.keep, name), "w", encoding="utf-8") as file:
                file.write(files[name] + "".join(f"# {problem}\n" for problem in problems))
    for name, number in sorted(tally.items()):
        print(f"{name}: {number}")
    print(f"no verdict on {sum(without.values())} of {made} programs", *(f"{number} for {why}" for why, number in sorted(without.items())), sep=", ")
    print(f"{judged - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


def answers(binary, files):
    """What ours says of each file: its notes by line, and its errors."""
    notes, errors = collections.defaultdict(dict), collections.defaultdict(list)
    for finding in ask(binary, files):
        name = finding["path"].removeprefix("./")
        if finding["severity"] == "note":
            notes[name][finding["line"]] = finding["message"]
        elif finding["severity"] == "error":
            errors[name].append(finding)
    return notes, errors


def judge(makes, text, errors, notes):
    """The problems of one program, an error that was missed, and what there was to count; or why there is no verdict."""
    code = compile(text, FILE, "exec")
    runs = [execute(code, seed, makes.WATCHED) for seed in range(RUNS)]
    if any(run.cut_off is not None for run in runs):
        return next(run.cut_off for run in runs if run.cut_off is not None)
    tally = collections.Counter()
    problems = judge_errors(text, code, errors, makes.WATCHED, tally) + judge_values(text, runs, makes.SHOWN, errors, notes, tally)
    return problems, missed_error(runs, errors, tally), tally


def fails_alike(binary, makes, problem):
    """Whether a program shows a problem of the same kind."""
    kind = lambda problem: re.sub(r"^\d+:\d+: |\(.*|(run \d|has) .*", "", problem)  # noqa: E731

    def fails(text):
        try:
            compile(text, FILE, "exec")
        except SyntaxError:
            return False
        notes, errors = answers(binary, {"p.py": with_questions(text, makes)})
        ((verdict, _),) = guarded([text], lambda text: judge(makes, text, errors["p.py"], notes["p.py"]))
        return isinstance(verdict, tuple) and kind(problem) in map(kind, verdict[0])

    return fails


def with_questions(text, makes):
    """The program, and a line for each value that we ask for."""
    return text + "".join(f"reveal_type({shown})\n" for shown in makes.SHOWN)


def show(text, skip):
    print(*(f"    {i:3} {line}" for i, line in enumerate(text.splitlines(), 1) if i > skip), sep="\n")


def span_of(finding):
    return finding["line"], finding["end_line"], finding["column"] - 1, finding["end_column"] - 1


def judge_errors(text, code, errors, watched, tally):
    """Errors that are not certain, or are not what happens."""
    problems = []
    length = len(text.splitlines())
    if not errors:
        return problems
    every_span, unpacked, loops = spans(code), unpackings(code), loop_spans(text)

    def place_of(finding):
        # Unpacking is done by an instruction that has the span of the targets; it counts if the line has no other.
        if finding["rule"] != "unpack-count":
            return span_of(finding)
        return next(iter(unpacked[finding["line"]])) if len(unpacked[finding["line"]]) == 1 else None

    wanted = {place_of(finding) for finding in errors} & every_span
    taken = wanted | {loops[span] for span in wanted if span in loops}
    runs = [execute(code, seed, watched, taken) for seed in range(RUNS)]
    for finding in errors:
        line, claimed, span = finding["line"], finding.get("raises"), place_of(finding)
        if line > length:
            # A `reveal_type` of ours, which is judged with the values.
            continue
        tally["errors reported"] += 1
        calls = tuple(related["line"] for related in finding["related"] if related["message"] == "called from here")
        tally["errors met"] += any(line in run.lines for run in runs)
        for seed, run in enumerate(runs):
            says = f"{line}:{finding['column']}: says {claimed} ({finding['message']}), run {seed}"
            if span in wanted:
                reached = any(at == span and around[: len(calls)] == calls for at, around in run.reached)
                places = (span, loops.get(span))
                raised = [name for (at, around), names in run.raised.items() if at in places and around[: len(calls)] == calls for name in names]
            else:
                # No instruction has just this span: the whole line counts, unless parts of it may be skipped.
                tally["errors judged by line"] += seed == 0
                words = text.splitlines()[line - 1]
                partial = any(word in words for word in (" if ", " and ", " or ", " for "))
                reached = line in run.lines and not partial and not calls
                raised = [name for (at, _), names in run.raised.items() if at[0] == line for name in names]
            if reached and not raised:
                problems.append(f"{says} passes")
            elif raised and claimed not in raised:
                problems.append(f"{says} raises {raised[0]}")
            elif reached and claimed not in endings(run.failed):
                problems.append(f"{says} goes on and ends with {run.failed!r}")
    return problems


def endings(error):
    """The classes of an error and of those it replaced, in a handler or in `finally`."""
    while error is not None:
        yield class_name(type(error))
        error = error.__context__


def judge_values(text, runs, every, errors, notes, tally):
    """Final values that ours do not cover."""
    problems = []
    length = len(text.splitlines())
    claims = {finding["line"]: finding.get("raises") for finding in errors}
    for seed, run in enumerate(runs):
        if run.failed is not None:
            tally["runs that raise"] += 1
            continue
        tally["runs that end"] += 1
        for offset, shown in enumerate(every, 1):
            claimed = claims.get(length + offset)
            try:
                value = eval(shown, run.names)  # noqa: S307
            except Exception as error:
                if claimed not in (None, class_name(type(error))):
                    problems.append(f"{shown}: says {claimed}, run {seed} raises {error!r}")
                continue
            if claimed is not None:
                problems.append(f"{shown}: says {claimed}, run {seed} has {written(value):.500}")
            note = notes.get(length + offset)
            # Every program begins with a function that shows whether the analysis got to an end: names are unknown if not.
            if note is None and notes.get(3) == "Unknown":
                tally["runs that we give up on"] += 1
                break
            if note is None:
                # We take the end for unreachable; a run got there.
                problems.append(f"{shown}: nothing revealed, run {seed} has {written(value):.500}")
                break
            tally["values"] += 1
            tally["values exact"] += exact(note, value)
            if not covers(note, value):
                problems.append(f"{shown}: says {note}, run {seed} has {written(value):.500}")
    return problems


def missed_error(runs, errors, tally):
    """An error that ends every run at one operation, and that we do not report."""
    ends = {run.end for run in runs}
    if len(ends) != 1 or None in ends or any(isinstance(run.failed, (ValueError, AssertionError)) and run.failed.args[:1] != () and not isinstance(run.failed.args[0], str) for run in runs):
        return None
    tally["certain errors"] += 1
    (span,) = ends
    if any(finding["line"] == span[0] for finding in errors):
        tally["certain errors found"] += 1
        return None
    return span


if __name__ == "__main__":
    main()
