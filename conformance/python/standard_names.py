"""The names that modules of the standard library have in some version, on some platform: writes crates/pytrope_models/src/standard_names.txt.

A name that is not listed for a module is missing in every Python. Asked are the interpreters that are given, Python 2.7 among them
(code behind a test of the version may be for it), and for other platforms and later versions the stubs that mypy ships:

    python3.13 conformance/python/standard_names.py --stubs …/mypy/typeshed/stdlib --with python2.7 --with python3.8 …
    python3.13 conformance/python/standard_names.py --check      # this interpreter has no name that the table lacks

A line is a module and its names. Names that begin with an underscore are never judged and are left out.
"""

import argparse
import ast
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "crates/pytrope_models/src/standard_names.txt")

# Modules whose names are the same wherever they run, or that the stubs list for all platforms. Left out are those whose
# constants depend on how Python was built (errno, select, signal, socket, ssl) and those that other packages replace (distutils).
MODULES = """
abc argparse array ast asyncio atexit base64 binascii bisect builtins bz2 calendar cmath codecs collections collections.abc colorsys
concurrent.futures configparser contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib dis email enum
filecmp fileinput fnmatch fractions functools gc getopt getpass gettext glob graphlib gzip hashlib heapq hmac html html.parser http
http.client importlib importlib.metadata importlib.resources importlib.util inspect io ipaddress itertools json keyword linecache locale
logging logging.config logging.handlers lzma math mimetypes multiprocessing multiprocessing.pool numbers operator os os.path
pathlib pickle pkgutil platform plistlib pprint profile queue random re reprlib sched secrets shelve shlex shutil smtplib
sqlite3 stat statistics string struct subprocess sys sysconfig tarfile tempfile textwrap threading time timeit token tokenize
traceback tracemalloc types typing unicodedata unittest unittest.mock urllib urllib.error urllib.parse urllib.request uuid
warnings wave weakref webbrowser xml.dom.minidom xml.etree.ElementTree zipfile zlib
""".split()


# What an interpreter runs to print its names, Python 2.7 too.
PROBE = """
import importlib, sys
for module in sys.argv[1:]:
    try:
        names = dir(importlib.import_module(module))
    except ImportError:
        continue
    print(" ".join([module] + sorted(name for name in names if not name.startswith("_"))))
"""


def runtime_names(python):
    """Module by module, what an interpreter has."""
    answer = subprocess.check_output([python, "-W", "ignore", "-c", PROBE, *MODULES], text=True)
    return {module: set(names) for module, *names in map(str.split, answer.splitlines())}


def stub_names(folder):
    """Module by module, every name that a stub binds at its top, whatever the condition."""
    def path_of(module):
        base = os.path.join(folder, *module.split("."))
        package = os.path.join(base, "__init__.pyi")
        return package if os.path.exists(package) else base + ".pyi"

    def targets(node):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, (ast.Tuple, ast.List)):
            for item in node.elts:
                yield from targets(item)

    def bound(statements, module, seen):
        for node in statements:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    yield from targets(target)
            elif isinstance(node, ast.AnnAssign):
                yield from targets(node.target)
            elif isinstance(node, ast.TypeAlias):
                yield node.name.id
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.asname or alias.name.split(".")[0]
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name != "*":
                        yield alias.asname or alias.name
                        continue
                    package = module if os.path.basename(path_of(module)) == "__init__.pyi" else module.rpartition(".")[0]
                    for _ in range(node.level - 1):
                        package = package.rpartition(".")[0]
                    source = ".".join(filter(None, [package if node.level else "", node.module or ""]))
                    if source not in seen and os.path.exists(path_of(source)):
                        seen.add(source)
                        yield from names_in(source, seen)
            elif isinstance(node, ast.If):
                yield from bound(node.body, module, seen)
                yield from bound(node.orelse, module, seen)

    def names_in(module, seen):
        with open(path_of(module), encoding="utf-8") as file:
            yield from bound(ast.parse(file.read()).body, module, seen)

    found = {}
    for module in MODULES:
        if not os.path.exists(path_of(module)):
            continue
        names = set(names_in(module, {module}))
        folder_of = os.path.dirname(path_of(module))
        if os.path.basename(path_of(module)) == "__init__.pyi":
            names |= {entry.split(".")[0] for entry in os.listdir(folder_of)}
        found[module] = {name for name in names if not name.startswith("_")}
    return found


def read_table():
    table = {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            module, *names = line.split()
            table[module] = set(names)
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stubs", help="the folder of the stubs of the standard library")
    parser.add_argument("--with", dest="others", action="append", default=[], help="another interpreter to ask")
    parser.add_argument("--check", action="store_true", help="this interpreter has no name that the table lacks")
    options = parser.parse_args()
    found = runtime_names(sys.executable)
    if options.check:
        table = read_table()
        failed = 0
        for module in sorted(found):
            lacking = found[module] - table.get(module, found[module])
            if lacking:
                failed += 1
                print(f"{module}: the table lacks {' '.join(sorted(lacking))}")
        print(f"{len(found) - failed} passed, {failed} failed")
        return 1 if failed else 0
    for other in options.others:
        for module, names in runtime_names(other).items():
            found.setdefault(module, set()).update(names)
    stubs = stub_names(options.stubs)
    with open(TABLE, "w", encoding="utf-8") as file:
        for module in sorted(found.keys() & stubs.keys()):
            print(module, *sorted(found[module] | stubs[module]), file=file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
