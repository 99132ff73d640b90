"""Programs that other people wrote: as they are they run, and nothing may be found; with a mistake in them they raise, and it should be.

Each program is run under the real Python (NumPy's environment; PyTorch's for those that need it) and checked by pytrope; then
each mistake of `faults.py` in turn. Ends with `N passed, N failed`; exits with 1 when a working program is flagged, a mistake
does not raise, or too few are found.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from faults import FAULTS  # noqa: E402

RUNNER = """
import io, json, sys, traceback, contextlib, runpy, warnings
warnings.simplefilter("ignore")
path = sys.argv.pop(1)
report = None
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    try:
        runpy.run_path(path, run_name="__main__")
    except BaseException as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
        report = [type(error).__name__, lines, str(error)]
print(json.dumps(report))
"""


def outcome(python, path):
    """What running a program comes to: `None`, or the class, the lines of its traceback, the message."""
    done = subprocess.run([python, "-c", RUNNER, str(path)], capture_output=True, text=True, timeout=300, cwd=path.parent)
    if done.returncode != 0:
        raise SystemExit(f"{path.name}: {done.stderr[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])


def findings(pytrope, folder):
    """What pytrope says of each file of a folder: the class and the lines of every error."""
    done = subprocess.run(
        [pytrope, "check", "--isolated", "--output-format", "json", str(folder)], capture_output=True, text=True, timeout=300
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    found = {}
    for item in json.loads(done.stdout)["diagnostics"]:
        span = range(item["line"], item["end_line"] + 1)
        name = pathlib.PurePosixPath(item["path"]).name
        found.setdefault(name, []).append((item.get("raises"), span, item["message"]))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pytrope", required=True)
    parser.add_argument("--torch", help="a Python that has torch; without it those programs are not run")
    parser.add_argument("--wanted", type=float, default=0.7, help="the share of mistakes that must be found")
    parser.add_argument("--only", help="programs whose name contains this")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    passed = failed = 0
    total = hits = 0
    programs = sorted((HERE / "programs").glob("*.py"))
    if options.only:
        programs = [program for program in programs if options.only in program.name]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wrong = {}
        for program in programs:
            source = program.read_text()
            (folder / program.name).write_text(source)
            for number, (old, new) in enumerate(FAULTS[program.stem], 1):
                if source.count(old) < 1:
                    raise SystemExit(f"{program.name}: mistake {number} does not apply: {old!r}")
                path = folder / f"{program.stem}_{number}.py"
                path.write_text(source.replace(old, new, 1))
                wrong[path] = program
        found = findings(options.pytrope, folder)
        for program in programs:
            python = options.torch if program.name.startswith("torch_") else sys.executable
            if python is None:
                print(f"{program.name}: not run, torch is missing")
                continue
            ends = outcome(python, folder / program.name)
            said = found.get(program.name, [])
            if ends is not None:
                print(f"{program.name}: does not run: {ends}")
            for kind, span, message in said:
                print(f"{program.name}:{span.start}: a false alarm: {kind}: {message}")
            passed, failed = (passed, failed + 1) if ends or said else (passed + 1, failed)
        for path, program in wrong.items():
            python = options.torch if program.name.startswith("torch_") else sys.executable
            if python is None:
                continue
            ends = outcome(python, path)
            if ends is None:
                print(f"{path.name}: the mistake does not raise")
                failed += 1
                continue
            kind, lines, message = ends
            last = lines[-1] if lines else 0
            total += 1
            said = found.get(path.name, [])
            hit = any(raises == kind and last in span for raises, span, _ in said)
            hits += hit
            if options.verbose or not hit:
                others = "; ".join(f"{span.start} {raises}: {text}" for raises, span, text in said) or "nothing"
                print(f"{path.name}:{last}: {'found' if hit else 'missed'}: {kind}: {message[:90]}  | said: {others}")
    share = hits / total if total else 1.0
    print(f"{hits} of {total} mistakes found ({share:.1%})")
    if share < options.wanted:
        failed += 1
    else:
        passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
