"""The mutation test: programs are changed in one place, run under NumPy, and checked by pytrope.

Of the mutants that raise an error about shapes, how many does `pytrope check` find, at the line where it is
raised and with its class? Of those that run, is any flagged? Ends with `N passed, N failed`; exits with 1
when a running mutant is flagged or too few errors are found.
"""

import argparse
import collections
import contextlib
import io
import multiprocessing
import pathlib
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent.parent / "conformance" / "numpy"))

from checking import check, statement_lines  # noqa: E402
from generate import public_class  # noqa: E402
from mutate import mutants  # noqa: E402

# Errors that say nothing about shapes: about the numbers in an array, or the program's own checks.
NOT_SHAPES = (
    "Singular matrix", "not positive definite", "did not converge", "probabilities", "Cannot take a larger sample", "high <= 0", "low >= high", "must be positive",
    "Eigenvalues", "infs or NaNs", "is not in list", "divide", "negative",
)
WANTED = 0.90


class TooSlow(Exception):
    """A mutant that does not end."""


def outcome(item):
    """What a mutant does under NumPy: `(name, None)` when it runs, else its class, line, message."""
    name, source = item
    warnings.simplefilter("ignore")

    def stop(*_):
        raise TooSlow

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    try:
        code = compile(source, name, "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, {"__name__": "__main__"})
        return name, None
    except TooSlow:
        return name, ("TooSlow", 0, "")
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
        return name, (public_class(error), lines[-1] if lines else 0, str(error))
    finally:
        signal.alarm(0)


def about_shapes(raised):
    """Whether an error is about shapes, axes, indices or counts."""
    kind, _, message = raised
    if kind not in {"ValueError", "IndexError", "AxisError", "LinAlgError", "TypeError"}:
        return False
    return not any(text in message for text in NOT_SHAPES)


def main():
    """Run the test and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pytrope", required=True, help="the binary")
    parser.add_argument("--most", type=int, default=60, help="mutants of one program")
    parser.add_argument("--sample", type=int, default=1, help="only every so-manieth program")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE / "programs", help="another folder of programs")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the mutants in this folder")
    parser.add_argument("--show", action="store_true", help="list what was missed")
    arguments = parser.parse_args()
    programs = sorted(arguments.programs.glob("*.py"))[:: arguments.sample]
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="mutants"))
    folder.mkdir(parents=True, exist_ok=True)
    sources, operators = {}, {}
    for program in programs:
        source = program.read_text()
        sources[program.name] = source
        operators[program.name] = "none"
        for number, (operator, text) in enumerate(mutants(source, zlib.crc32(program.name.encode()), arguments.most)):
            name = f"{program.stem}_{number:03}.py"
            sources[name] = text
            operators[name] = operator
    with multiprocessing.Pool(2) as pool:
        outcomes = dict(pool.imap_unordered(outcome, sources.items(), chunksize=16))
    for program in programs:
        if outcomes[program.name] is not None:
            sys.exit(f"{program.name} does not run: {outcomes[program.name]}")
    for name, source in sources.items():
        if outcomes[name] is None or outcomes[name][0] != "TooSlow":
            (folder / name).write_text(source)
    findings = check(arguments.pytrope, folder)
    running = [name for name in sources if outcomes[name] is None]
    raising = [name for name in sources if outcomes[name] is not None and about_shapes(outcomes[name])]
    flagged = [name for name in running if findings[name]]
    table = collections.defaultdict(lambda: [0, 0])
    missed = []
    for name in raising:
        kind, line, message = outcomes[name]
        lines = statement_lines(sources[name]).get(line, range(line, line + 1))
        hit = any(finding["raises"] == kind and finding["line"] in lines for finding in findings[name])
        table[operators[name]][0] += 1
        table[operators[name]][1] += hit
        if not hit:
            missed.append(name)
            if arguments.show:
                others = [(finding["line"], finding["raises"]) for finding in findings[name]]
                print(f"missed {name}:{line}: {kind}: {message.splitlines()[0][:110]} | found {others} | {sources[name].splitlines()[line - 1].strip()}")
    for name in flagged:
        for finding in findings[name]:
            print(f"FALSE ALARM {name}:{finding['line']}: {finding['raises']}: {finding['message']}")
    share = 1 - len(missed) / max(len(raising), 1)
    print(f"{len(programs)} programs, {len(sources) - len(programs)} mutants: {len(raising)} raise an error about shapes, {len(running) - len(programs)} run")
    for operator, (count, hits) in sorted(table.items()):
        print(f"  {operator:10} {hits:5} of {count:5} found")
    print(f"found {100 * share:.1f} % of the errors at their line with their class; {len(flagged)} running programs flagged")
    if not arguments.keep:
        shutil.rmtree(folder)
    failed = len(flagged) + (share < WANTED)
    print(f"{len(raising) - len(missed) + len(running) - len(flagged)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
