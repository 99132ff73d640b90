"""The mutation test of tensor frameworks: their programs are changed in one place, run, and checked by pytrope.

    PYTHON frameworks.py keras --observe NAME      run all mutants in this Python, write keras/outcomes/NAME.tsv
    python frameworks.py keras --pytrope BINARY    judge `pytrope check` by all committed outcomes

A framework may be observed in several versions. What raises the same class on the same line in each of them should be found; what
runs in one of them must not be flagged. The committed outcomes make the libraries unnecessary; they belong to exact
texts, by checksum. A mutant that was not run in every version is not judged, and counted; a program that was not is an error.
"""

import argparse
import collections
import contextlib
import io
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from checking import check, statement_lines  # noqa: E402
from mutate_layers import mutants  # noqa: E402

# What is imported once, before each mutant runs in a process of its own.
PRELOADED = {"torch": ["numpy", "torch", "torch.func", "torch.utils.data"], "keras": ["numpy", "tensorflow", "keras"], "jax": ["numpy", "jax", "jax.numpy"], "borders": ["numpy", "numpy.ma", "pandas", "sklearn", "scipy", "einops", "PIL.Image", "cv2", "imageio"]}
# Classes of errors about shapes, ranks, axes, element types, names of columns.
WANTED_CLASSES = {
    "ValueError", "TypeError", "IndexError", "InvalidArgumentError", "KeyError", "AxisError", "LinAlgError", "ScopeParamShapeError",
    "NotFittedError", "InvalidIndexError", "AttributeError",
}
# PyTorch raises RuntimeError where other libraries have classes of their own.
WANTED_OF = {"torch": WANTED_CLASSES | {"RuntimeError", "NotImplementedError"}}
# A line of a program with a mistake, and after the mark the line that belongs there: with it the program runs.
INSTEAD = re.compile(r"^( *)\S.*?  # instead: (.*)$", re.MULTILINE)
MOST = 12
WANTED = 0.90
SECONDS = 120


def sources(framework, most):
    """`(name, operator, text)` of every program and its mutants, and of programs with the mistakes that people post, each
    beside the program that it should have been."""
    for program in sorted((HERE / framework).glob("*.py")):
        source = program.read_text()
        yield program.stem, "none", source
        for number, (operator, text) in enumerate(mutants(source, zlib.crc32(program.name.encode()), most)):
            yield f"{program.stem}_{number:03}", operator, text
    for program in sorted((HERE / framework / "posted").glob("*.py")):
        source = program.read_text()
        yield f"posted_{program.stem}", "posted", source
        if INSTEAD.search(source):
            yield f"fixed_{program.stem}", "fixed", INSTEAD.sub(r"\1\2", source)


def outcome(name, source):
    """What a program does: `runs`, or its class and line, and the start of its message."""
    warnings.simplefilter("ignore")
    try:
        code = compile(source, f"{name}.py", "exec")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(code, {"__name__": "__main__"})
        return "runs"
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == f"{name}.py"]
        # Without colours, and without the folders of this machine.
        message = re.sub(r"\x1b\[\d+m|/\S*/(?=[^/\s]+\.py)", "", " ".join(str(error).split()))[:160]
        return f"{type(error).__name__}\t{lines[-1] if lines else 0}\t{message}"


def in_own_process(name, source):
    """The outcome of a program in a fork, which is ended if it takes too long."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writer, outcome(name, source).encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    os.waitpid(child, 0)
    return text or "ended\t0\tthe process ended by itself"


def observe(framework, name, most):
    """Runs everything under this Python. What an older table already says of the same text is kept."""
    os.environ.update(CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3", JAX_PLATFORMS="cpu", OMP_NUM_THREADS="1")
    # The folders of programs beside this file have the names of libraries.
    sys.path[:] = [path for path in sys.path if pathlib.Path(path or ".").resolve() != HERE]
    for module in PRELOADED[framework]:
        with contextlib.suppress(ImportError):
            __import__(module)
    path = HERE / framework / "outcomes" / f"{name}.tsv"
    path.parent.mkdir(exist_ok=True)
    known = read_outcomes(path) if path.exists() else {}
    for stem, _, text in sources(framework, most):
        mark = f"{zlib.crc32(text.encode()):08x}"
        if (stem, mark) not in known:
            known[stem, mark] = in_own_process(stem, text)
            path.with_suffix(".part").write_text(table_of(known))
    path.write_text(table_of(known))
    path.with_suffix(".part").unlink(missing_ok=True)
    print(f"{len(known)} outcomes in {path}")


def table_of(outcomes):
    """The text of a table, in the order of names."""
    return "".join(f"{name}\t{mark}\t{result}\n" for (name, mark), result in sorted(outcomes.items()))


def read_outcomes(path):
    """`(name, checksum)` to the text of the outcome."""
    found = {}
    for line in path.read_text().splitlines():
        name, mark, result = line.split("\t", 2)
        found[name, mark] = result
    return found


def agreed(results, wanted):
    """`runs` if one version runs it, `(class, line)` if all raise alike, None if they raise differently or another class."""
    if "runs" in results:
        return "runs"
    raised = {tuple(result.split("\t")[:2]) for result in results}
    if len(raised) > 1:
        return None
    kind, line = raised.pop()
    return (kind, int(line)) if kind in wanted else None


def judge(framework, pytrope, arguments):
    """Checks all mutants and compares."""
    tables = [read_outcomes(path) for path in sorted((HERE / framework / "outcomes").glob("*.tsv"))]
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="mutants"))
    folder.mkdir(parents=True, exist_ok=True)
    texts, operators, expected, unobserved = {}, {}, {}, 0
    for stem, operator, text in sources(framework, arguments.most):
        mark = f"{zlib.crc32(text.encode()):08x}"
        if any((stem, mark) not in table for table in tables):
            if operator == "none":
                sys.exit(f"{stem} has no committed outcome; run --observe")
            unobserved += 1
            continue
        result = agreed([table[stem, mark] for table in tables], WANTED_OF.get(framework, WANTED_CLASSES))
        if operator in {"none", "fixed"} and result != "runs":
            sys.exit(f"{stem} does not run: {[table[stem, mark] for table in tables]}")
        texts[stem], operators[stem], expected[stem] = text, operator, result
        (folder / f"{stem}.py").write_text(text)
    findings = check(pytrope, folder)
    running = [name for name in texts if expected[name] == "runs"]
    raising = [name for name in texts if isinstance(expected[name], tuple)]
    # A suspicion, such as a loss that broadcasts, names no exception: it does not say that the program fails.
    flagged = [name for name in running if any(finding["raises"] for finding in findings[f"{name}.py"])]
    tally = collections.defaultdict(lambda: [0, 0])
    missed = 0
    for name in raising:
        kind, line = expected[name]
        lines = statement_lines(texts[name]).get(line, range(line, line + 1))
        own = findings[f"{name}.py"]
        hit = any(finding["raises"] == kind and finding["line"] in lines for finding in own)
        tally[operators[name]][0] += 1
        tally[operators[name]][1] += hit
        missed += not hit
        if not hit and arguments.show:
            others = [(finding["line"], finding["raises"]) for finding in own]
            print(f"missed {name}:{line}: {kind} | found {others} | {texts[name].splitlines()[line - 1].strip() if line else ''}")
            for table in tables[:1]:
                print("      ", table[name, f"{zlib.crc32(texts[name].encode()):08x}"].split("\t")[-1])
    for name in flagged:
        for finding in findings[f"{name}.py"]:
            print(f"FALSE ALARM {name}:{finding['line']}: {finding['raises']}: {finding['message']}")
    share = 1 - missed / max(len(raising), 1)
    programs = sum(operator == "none" for operator in operators.values())
    print(f"{framework}: {programs} programs, {len(texts) - programs} mutants and posted ones in {len(tables)} versions: {len(raising)} raise alike, {len(running) - programs} run, {unobserved} were not run in all")
    for operator, (count, hits) in sorted(tally.items()):
        print(f"  {operator:10} {hits:5} of {count:5} found")
    print(f"found {100 * share:.1f} % of the errors at their line with their class; {len(flagged)} running programs flagged")
    if not arguments.keep:
        shutil.rmtree(folder)
    failed = len(flagged) + (share < WANTED)
    print(f"{len(raising) - missed + len(running) - len(flagged)} passed, {failed} failed")
    return 1 if failed else 0


def main():
    """Observe or judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("framework", choices=sorted(PRELOADED))
    parser.add_argument("--observe", metavar="NAME", help="run the mutants in this Python")
    parser.add_argument("--pytrope", help="the binary")
    parser.add_argument("--most", type=int, default=MOST, help="mutants of one program")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the mutants in this folder")
    parser.add_argument("--show", action="store_true", help="list what was missed")
    arguments = parser.parse_args()
    if arguments.observe:
        return observe(arguments.framework, arguments.observe, arguments.most)
    return judge(arguments.framework, arguments.pytrope, arguments)


if __name__ == "__main__":
    sys.exit(main())
