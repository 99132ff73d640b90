"""Run the programs in this Python and write `outcomes.tsv`: `python outcomes.py`.

Each row has the page, the title, and the class and line that CPython raises for the mistaken program. A correct twin that raises, and a mistake
that does not, is printed and fails.
"""

import contextlib
import io
import sys
import traceback

from programs import HERE, pages, programs_of


def outcome(program, mark):
    text = program.text_of(mark)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            names = {"__name__": "program"}
            exec(compile(text, "<program>", "exec"), names)
            if program.call is not None:
                result = eval(program.call, names)
                if hasattr(result, "__next__"):
                    list(result)
    except Exception as raised:
        places = [frame.lineno for frame in traceback.extract_tb(raised.__traceback__) if frame.filename == "<program>"]
        return f"{type(raised).__name__}\t{places[-1]}"
    return "runs"


def main():
    rows = []
    failed = 0
    for page in pages():
        for program in programs_of(page):
            wrong, right = outcome(program, "-"), outcome(program, "+")
            if wrong == "runs" or right != "runs":
                failed += 1
                print(f"{page}: {program.title}: the mistake {wrong}, without it {right}")
            rows.append(f"{page}\t{program.title}\t{wrong}")
    (HERE / "outcomes.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows)} programs, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
