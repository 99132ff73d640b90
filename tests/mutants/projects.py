"""The mutation test on projects: programs are split over several files, changed in one place, run and checked.

Of the mutants that raise an error about shapes, how many does `pytrope check` find: at the line that raises, or at a call that
leads there, with that line as a related place? Of those that run, is any flagged? The same is asked of the package
alone, without the file that calls it; there it is also counted how many were found of the errors that no other arguments
avoid (`avoidable.py`). Ends with `N passed, N failed`.
"""

import argparse
import collections
import contextlib
import importlib
import io
import json
import multiprocessing
import pathlib
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from avoidable import is_avoidable  # noqa: E402
from mutate import mutants  # noqa: E402
from run import TooSlow, about_shapes, public_class, statement_lines  # noqa: E402
from split import split  # noqa: E402

WANTED = 0.85
# Of the errors of a package that is not called which no other arguments avoid, as far as a search finds them.
WANTED_ALONE = 0.6
sys.dont_write_bytecode = True


def write(folder, files):
    """Write the files of a project."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def outcome(folder):
    """What a project does under NumPy: what it prints, and the class, file, line and message of what it raises."""
    warnings.simplefilter("ignore")

    def stop(*_):
        raise TooSlow

    for name in [name for name in sys.modules if name == "pkg" or name.startswith("pkg.")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    sys.path.insert(0, str(folder))
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(folder / "main.py"), run_name="__main__")
        return folder, printed.getvalue(), None
    except TooSlow:
        return folder, "", ("TooSlow", 0, "", "main.py")
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(str(folder))]
        if not frames:
            return folder, "", (public_class(error), 0, str(error), "main.py")
        place = frames[-1]
        return folder, "", (public_class(error), place.lineno, str(error), str(pathlib.Path(place.filename).relative_to(folder)))
    finally:
        signal.alarm(0)
        sys.path.remove(str(folder))


def check(item):
    """The errors and warnings of a project, with their places and those of what they are related to."""
    pytrope, folder, target = item
    command = [pytrope, "check", "--output-format", "json", "--exit-zero", str(folder / target)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {result.returncode}:\n{result.stderr}")
    found = [finding for finding in json.loads(result.stdout)["diagnostics"] if finding["severity"] in {"error", "warning"}]
    return folder, found


def is_hit(finding, raised, lines):
    """Whether a finding is about an error: at its line, or at a call with its line as a related place."""
    kind, _, _, path = raised

    def is_there(place):
        return place["path"] == path and place["line"] in lines

    at_call = any(related["message"] == "raised here" and is_there(related) for related in finding["related"])
    return finding["raises"] == kind and (is_there(finding) or at_call)


def judge(name, folders, outcomes, sources, findings, show):
    """Compare findings with what happened: the share of errors found, flagged projects that run, what passed, and the outcome by folder."""
    raising = hits = flagged = running = 0
    found = {}
    for folder in folders:
        raised = outcomes[folder][1]
        if raised is None:
            running += 1
            if findings[folder]:
                flagged += 1
                for finding in findings[folder]:
                    print(f"FALSE ALARM {name} {folder.name}/{finding['path']}:{finding['line']}: {finding['raises']}: {finding['message']}")
        elif about_shapes(raised[:3]):
            raising += 1
            kind, line, message, path = raised
            text = sources[folder].get(path, "")
            lines = statement_lines(text).get(line, range(line, line + 1))
            hit = any(is_hit(finding, raised, lines) for finding in findings[folder])
            hits += hit
            found[folder] = hit
            if not hit and show:
                others = [(finding["path"], finding["line"], finding["raises"]) for finding in findings[folder]]
                print(f"missed {name} {folder.name}/{path}:{line}: {kind}: {message.splitlines()[0][:100]} | found {others} | {(text.splitlines() or [''])[line - 1].strip()}")
    share = hits / max(raising, 1)
    print(f"{name}: {hits} of {raising} errors found ({100 * share:.1f} %); {flagged} of {running} running projects flagged")
    return share, flagged, hits + running - flagged, found


def can_be_avoided(item):
    """Whether other arguments avoid the error of a project."""
    folder, (_, _, _, path), line = item
    return folder, is_avoidable(folder, path, line)


def judge_unavoidable(pool, outcomes, found):
    """The share that is found of the errors of packages alone that every choice of arguments runs into."""
    items = [(folder, outcomes[folder][1], outcomes[folder][1][1]) for folder in found]
    certain = [folder for folder, avoided in pool.imap_unordered(can_be_avoided, items, chunksize=4) if not avoided]
    hits = sum(found[folder] for folder in certain)
    print(f"packages that are not called, errors that no other arguments avoid: {hits} of {len(certain)} found ({100 * hits / max(len(certain), 1):.1f} %)")
    return hits / max(len(certain), 1)


def main():
    """Run the test and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pytrope", required=True, help="the binary")
    parser.add_argument("--most", type=int, default=20, help="mutants of one project")
    parser.add_argument("--sample", type=int, default=1, help="only every so-manieth program")
    parser.add_argument("--programs", type=pathlib.Path, default=HERE / "programs", help="another folder of programs")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the projects in this folder")
    parser.add_argument("--show", action="store_true", help="list what was missed")
    arguments = parser.parse_args()
    base = (arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="projects"))).resolve()
    base.mkdir(parents=True, exist_ok=True)
    sources, originals, unsplit = {}, {}, []
    programs = sorted(arguments.programs.glob("*.py"))[:: arguments.sample]
    for program in programs:
        files = split(program.read_text())
        if files is None:
            unsplit.append(program.name)
            continue
        folder = base / program.stem
        originals[folder] = program
        sources[folder] = files
        chances = collections.deque()
        for path in sorted(files):
            seed = zlib.crc32(f"{program.name}/{path}".encode())
            chances.append([(path, text) for _, text in mutants(files[path], seed, arguments.most)])
        number = 0
        # From every file in turn.
        while any(chances) and number < arguments.most:
            for per_file in chances:
                if per_file and number < arguments.most:
                    path, text = per_file.pop()
                    sources[base / f"{program.stem}_{number:03}"] = {**files, path: text}
                    number += 1
    for folder, files in sources.items():
        write(folder, files)
    with multiprocessing.Pool(2) as pool:
        outcomes = {folder: (printed, raised) for folder, printed, raised in pool.imap_unordered(outcome, sources, chunksize=8)}
        for folder, program in originals.items():
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                runpy.run_path(str(program), run_name="__main__")
            if outcomes[folder] != (printed.getvalue(), None):
                sys.exit(f"{program.name} is not split right: {outcomes[folder]}")
        folders = [folder for folder in sources if outcomes[folder][1] is None or outcomes[folder][1][0] != "TooSlow"]
        together = dict(pool.imap_unordered(check, [(arguments.pytrope, folder, "") for folder in folders], chunksize=8))
        alone = dict(pool.imap_unordered(check, [(arguments.pytrope, folder, "pkg") for folder in folders], chunksize=8))
        inside = [folder for folder in folders if outcomes[folder][1] is None or outcomes[folder][1][3] != "main.py"]
        show = arguments.show
        share, flagged, passed, _ = judge("projects", folders, outcomes, sources, together, show)
        _, flagged_alone, _, found = judge("packages that are not called", inside, outcomes, sources, alone, show)
        share_alone = judge_unavoidable(pool, outcomes, found)
    print(f"{len(programs)} programs, {len(originals)} split into projects ({len(unsplit)} cannot be), {len(sources) - len(originals)} mutants")
    if not arguments.keep:
        shutil.rmtree(base)
    failed = flagged + flagged_alone + (share < WANTED) + (share_alone < WANTED_ALONE)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
