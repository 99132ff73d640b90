"""Which calls of builtin functions, types and methods CPython refuses: writes crates/pytrope_eval/src/builtin_types/signatures.tsv.

Each callable is called with arguments that it takes, with one of them replaced by values of every other builtin type, and with
fewer and more arguments.  A type is listed as refused at a position only if every such call raises a TypeError, in every
version of Python that is given:

    python3.13 conformance/python/signatures.py --with python3.9 --with python3.10 --with python3.11 --with python3.12
    python3.13 conformance/python/signatures.py --check      # this interpreter does not contradict the committed table

A row is: name, fewest and most arguments by position, keywords (`?` where they are not known), refused types by position.
"""

import argparse
import inspect
import itertools
import json
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "crates/pytrope_eval/src/builtin_types/signatures.tsv"
MOST = 5  # arguments that are tried

# Values of every type, as expressions: calls may change what they are given. Classes and modules are not among them: they may
# be instances of types of their own.
SAMPLES = {
    "NoneType": ["None"],
    "bool": ["True", "False"],
    "int": ["0", "1", "3", "-1", "10**30"],
    "float": ["0.0", "1.5", "float('nan')"],
    "complex": ["1j"],
    "str": ["''", "'a'", "'12'", "'utf-8'", "'ab'", "'strict'", "'d'"],
    "bytes": ["b''", "b'a'", "b'12'"],
    "tuple": ["()", "(1,)", "('a', 'b')", "(('a', 1),)", "(int, str)", "(1, 2)", "(b'a',)"],
    "list": ["[]", "[1]", "['a', 'b']", "[('a', 1)]", "[b'a']"],
    "dict": ["{}", "{'a': 1}", "{97: 'b'}"],
    "set": ["set()", "{1}", "{'a'}"],
    "frozenset": ["frozenset()", "frozenset({1})"],
    "range": ["range(0)", "range(3)"],
    "slice": ["slice(1)"],
    "function": ["(lambda *a: None)", "(lambda *a: 1)"],
    "generator": ["(x for x in ())", "(x for x in ('a', 'b'))", "(x for x in (1,))"],
    "ellipsis": ["..."],
}

# Calls that work, by number of arguments; in methods the receivers are apart.
FUNCTIONS = {
    "abs": ["1", "1.5"],
    "all": ["[]", "(1,)"],
    "any": ["[]", "(1,)"],
    "ascii": ["1"],
    "bin": ["1"],
    "callable": ["1"],
    "chr": ["97"],
    "delattr": [],
    "divmod": ["5, 2", "5.0, 2"],
    "enumerate": ["[]", "[], 1"],
    "filter": ["None, []", "int, []"],
    "format": ["1", "1, 'd'", "'a', 's'"],
    "getattr": ["1, 'real'", "1, 'x', 2"],
    "hasattr": ["1, 'real'"],
    "hash": ["1", "'a'"],
    "hex": ["1"],
    "id": ["1"],
    "isinstance": ["1, int", "1, (int, str)"],
    "issubclass": ["int, int", "int, (int, str)"],
    "iter": ["[]", "(lambda: 1), 1"],
    "len": ["[]", "''"],
    "map": ["int, []", "max, [1], [2]", "max, [1], [2], [3]"],
    "max": ["[1]", "1, 2", "'a', 'b'", "1, 2, 3", "1, 2, 3, 4"],
    "min": ["[1]", "1, 2", "'a', 'b'", "1, 2, 3", "1, 2, 3, 4"],
    "next": ["iter([1])", "iter([]), 1"],
    "oct": ["1"],
    "ord": ["'a'", "b'a'"],
    "pow": ["2, 3", "2, 3, 5", "2.0, 3"],
    "print": [],
    "repr": ["1"],
    "reversed": ["[]", "()", "''", "range(3)", "{}"],
    "round": ["1.5", "1.5, 1", "1.5, None", "2, None"],
    "setattr": [],
    "sorted": ["[1]"],
    "sum": ["[1]", "[1], 2", "[[1]], []", "[(1,)], ()", "[1], 1.5"],
    "zip": ["", "[]", "[], ()", "[], (), ''", "[], (), '', {}"],
    # Types
    "bool": ["", "1"],
    "bytearray": ["", "3", "b'a'", "[1]", "'a', 'utf-8'", "'a', 'utf-8', 'strict'"],
    "bytes": ["", "3", "b'a'", "[1]", "'a', 'utf-8'", "'a', 'utf-8', 'strict'"],
    "complex": ["", "1", "1, 2", "'1'", "1.5, 2.5"],
    "dict": ["", "{}", "[('a', 1)]"],
    "float": ["", "1", "'1'"],
    "frozenset": ["", "[]"],
    "int": ["", "1", "1.5", "'1'", "'1', 10", "b'1', 10"],
    "list": ["", "[]"],
    "object": [""],
    "range": ["3", "1, 3", "1, 3, 2"],
    "set": ["", "[]"],
    "slice": ["1", "1, 2", "1, 2, 3"],
    "str": ["", "1", "b'a', 'utf-8'", "b'a', 'utf-8', 'strict'"],
    "tuple": ["", "[]"],
}

METHODS = {
    "str": (
        ["'abc'", "''", "'a b'"],
        {
            "capitalize": [""], "casefold": [""], "center": ["5", "5, ' '"], "count": ["'a'", "'a', 0", "'a', 0, 2"],
            "encode": ["", "'utf-8'", "'utf-8', 'strict'"], "endswith": ["'a'", "('a',)", "'a', 0", "'a', 0, 2"],
            "expandtabs": ["", "4"], "find": ["'a'", "'a', 0", "'a', 0, 2"], "format_map": ["{}"],
            "isalnum": [""], "isalpha": [""], "isdigit": [""], "islower": [""], "isspace": [""], "isupper": [""],
            "join": ["['a', 'b']", "'ab'", "('a',)", "{}", "[]"], "ljust": ["5", "5, ' '"], "lower": [""], "lstrip": ["", "'a'", "None"],
            "partition": ["'a'"], "replace": ["'a', 'b'", "'a', 'b', 1"], "rfind": ["'a'", "'a', 0", "'a', 0, 2"],
            "rjust": ["5", "5, ' '"], "rpartition": ["'a'"], "rsplit": ["", "'a'", "None", "'a', 1", "None, 1"], "rstrip": ["", "'a'", "None"],
            "split": ["", "'a'", "None", "'a', 1", "None, 1"], "splitlines": ["", "True"], "startswith": ["'a'", "('a',)", "'a', 0", "'a', 0, 2"],
            "strip": ["", "'a'", "None"], "swapcase": [""], "title": [""], "upper": [""], "zfill": ["5"],
            "isdecimal": [""], "isidentifier": [""], "isnumeric": [""], "isprintable": [""], "istitle": [""],
        },
    ),
    "bytes": (
        ["b'abc'", "b''"],
        {
            "count": ["b'a'", "97"], "decode": ["", "'utf-8'", "'utf-8', 'strict'"], "endswith": ["b'a'", "(b'a',)"], "find": ["b'a'", "97"],
            "hex": ["", "':'"], "join": ["[b'a']", "()"], "lower": [""], "replace": ["b'a', b'b'", "b'a', b'b', 1"], "split": ["", "b'a'", "None", "b'a', 1"],
            "startswith": ["b'a'", "(b'a',)"], "strip": ["", "b'a'", "None"], "upper": [""],
        },
    ),
    "list": (
        ["[3, 1, 2]", "['a']", "[]"],
        {
            "append": ["1"], "clear": [""], "copy": [""], "count": ["1"], "extend": ["[]", "()"], "index": ["3", "3, 0", "3, 0, 5"],
            "insert": ["0, 1"], "pop": ["", "0"], "remove": ["1"], "reverse": [""], "sort": [""],
        },
    ),
    "tuple": (["(1, 2)", "()"], {"count": ["1"], "index": ["1", "1, 0", "1, 0, 5"]}),
    "dict": (
        ["{'a': 1}", "{}"],
        {
            "clear": [""], "copy": [""], "get": ["'a'", "'a', 1"], "items": [""], "keys": [""], "pop": ["'a', 1", "'a'"], "popitem": [""],
            "setdefault": ["'a'", "'a', 1"], "update": ["", "{}", "[('a', 1)]"], "values": [""],
        },
    ),
    "set": (
        ["{1, 2}", "set()"],
        {
            "add": ["1"], "clear": [""], "copy": [""], "difference": ["", "[]", "[], ()"], "difference_update": ["", "[]"], "discard": ["1"],
            "intersection": ["", "[]", "[], ()"], "intersection_update": ["", "[]"], "isdisjoint": ["[]"], "issubset": ["[]"], "issuperset": ["[]"],
            "pop": [""], "remove": ["1"], "symmetric_difference": ["[]"], "symmetric_difference_update": ["[]"],
            "union": ["", "[]", "[], ()"], "update": ["", "[]", "[], ()"],
        },
    ),
    "frozenset": (
        ["frozenset({1})", "frozenset()"],
        {"copy": [""], "difference": ["", "[]"], "intersection": ["", "[]"], "isdisjoint": ["[]"], "issubset": ["[]"], "issuperset": ["[]"], "union": ["", "[]"]},
    ),
    "int": (["5"], {"bit_length": [""], "conjugate": [""]}),
    "float": (["1.5"], {"is_integer": [""], "hex": [""], "as_integer_ratio": [""], "conjugate": [""]}),
}

# Functions and classes of modules, of which a model says what they give. Calls must change nothing.
MODULES = {
    "math": {
        **dict.fromkeys(
            "acos acosh asin asinh atan atanh ceil cos cosh degrees erf erfc exp expm1 fabs floor gamma isfinite isinf isnan lgamma log10 log1p"
            " log2 modf radians sin sinh sqrt tan tanh trunc frexp".split(),
            ["1", "1.0", "True"],
        ),
        **dict.fromkeys("atan2 copysign fmod pow remainder".split(), ["1, 2", "1.0, 2.0"]),
        "factorial": ["3"], "isqrt": ["3"], "comb": ["3, 2"], "gcd": ["4, 6"], "lcm": ["4, 6"], "dist": ["[1], [2]", "(1.0,), (2.0,)"],
        "fsum": ["[1]", "()"], "prod": ["[1]"], "hypot": ["1", "1.0, 2.0"], "ldexp": ["1.0, 2"], "log": ["1", "1.0, 2"],
    },
    "random": {
        "uniform": ["1, 2", "1.0, 2.0"], "gauss": ["1, 2", "1.0, 2.0"], "randint": ["1, 2"], "choice": ["[1]", "'a'", "(1,)", "range(3)"],
        "sample": ["[1], 1", "range(3), 1"], "shuffle": ["[1, 2]"], "choices": ["[1]", "'a'"], "normalvariate": ["1, 2"],
    },
    "json": {"loads": ["'1'", "b'1'"]},
    "re": {
        "compile": ["'a'", "b'a'"], "escape": ["'a'", "b'a'"], "match": ["'a', 'a'", "b'a', b'a'"], "search": ["'a', 'a'", "b'a', b'a'"], "fullmatch": ["'a', 'a'", "b'a', b'a'"],
        "findall": ["'a', 'a'", "b'a', b'a'"], "split": ["'a', 'a'", "b'a', b'a'"], "sub": ["'a', 'a', 'a'", "'a', len, 'a'", "b'a', b'a', b'a'", "b'a', len, b'a'"],
    },
    "itertools": {
        "accumulate": ["[1]"], "combinations": ["[1], 1"], "permutations": ["[1]", "[1], 1"], "product": ["[1]", "[1], [2]"],
        "islice": ["[1], 1", "[1], 1, 2"], "pairwise": ["[1]"], "starmap": ["len, []"], "repeat": ["1", "1, 2"], "takewhile": ["len, []"],
        "dropwhile": ["len, []"], "zip_longest": ["[1]", "[1], [2]"], "combinations_with_replacement": ["[1], 1"], "compress": ["[1], [1]"],
    },
    "functools": {"reduce": ["max, [1]", "max, [1], 2"]},
    "datetime": {
        "date": ["2024, 1, 2"], "timedelta": ["", "1", "1, 2", "1.5, 2.5"], "time": ["", "1", "1, 2"],
        "datetime": ["2024, 1, 2", "2024, 1, 2, 3"],
    },
    "struct": {"pack": ["'i', 1"], "calcsize": ["'i'", "b'i'"], "unpack": ["'b', b'a'"]},
    "copy": {"copy": ["1"], "deepcopy": ["1"]},
}

# What takes any number of arguments by position, and the keywords of what has no signature.
UNBOUNDED = {"map", "max", "min", "print", "zip", "set.difference", "set.difference_update", "set.intersection", "set.intersection_update",
             "set.union", "set.update", "frozenset.difference", "frozenset.intersection", "frozenset.union", "math.gcd", "math.lcm", "math.hypot",
             "itertools.product", "itertools.zip_longest", "struct.pack"}
KEYWORDS = {
    "itertools.product": "repeat", "itertools.zip_longest": "fillvalue",
    "print": "sep end file flush", "max": "key default", "min": "key default", "zip": "strict", "map": "strict", "sorted": "key reverse",
    "getattr": "", "iter": "", "next": "", "range": "", "slice": "", "dict": "**", "dict.update": "**", "bool": "", "float": "", "list": "", "tuple": "",
    "set": "", "frozenset": "", "filter": "", "reversed": "", "str": "object encoding errors", "bytes": "source encoding errors",
    "bytearray": "source encoding errors", "int": "base", "complex": "real imag", "object": "", "enumerate": "iterable start",
    "hasattr": "", "dict.get": "", "dict.pop": "", "list.index": "", "str.count": "", "str.find": "", "str.rfind": "", "str.startswith": "",
    "str.endswith": "", "bytes.count": "", "bytes.find": "", "bytes.startswith": "", "bytes.endswith": "", "setattr": "", "delattr": "",
}
# Where another argument may decide by a special method of its own (`divmod(None, x)` asks `x.__rdivmod__`), no type is refused.
DISPATCHED = {"divmod": (0, 1), "pow": (0, 1, 2), "max": range(9), "min": range(9), "sum": (1,), "round": (1,), "functools.reduce": (1, 2),
              "random.uniform": (0, 1), "random.gauss": (0, 1), "random.normalvariate": (0, 1)}
# Calls that would print or change something are not made; some functions take more than is tried.
ARITY = {"print": (0, None), "setattr": (3, 3), "delattr": (2, 2), "datetime.datetime": (1, 8), "datetime.timedelta": (0, 7), "random.shuffle": (1, 2)}
# What versions took that are not asked.
TAKEN_BEFORE = {"random.sample": {"set", "frozenset"}}


def outcome(expression):
    """Whether a call is refused with a TypeError."""
    try:
        eval(expression, {})
    except TypeError:
        return True
    except BaseException:
        return False
    return False


def split_arguments(text):
    """`"'a', 0"` → `["'a'", "0"]`."""
    import ast

    call = ast.parse(f"f({text})", mode="eval").body
    return [ast.unparse(argument) for argument in call.args]


def callables():
    """Name, spelling of the callee for each receiver, and the calls that work."""
    for name, calls in FUNCTIONS.items():
        yield name, [name], [split_arguments(call) for call in calls]
    for module, functions in MODULES.items():
        for name, calls in functions.items():
            yield f"{module}.{name}", [f"__import__({module!r}).{name}"], [split_arguments(call) for call in calls]
    for kind, (receivers, methods) in METHODS.items():
        for name, calls in methods.items():
            yield f"{kind}.{name}", [f"({receiver}).{name}" for receiver in receivers], [split_arguments(call) for call in calls]


def refused_types(name, callees, calls):
    """The types that are refused at each position, whatever the others are."""
    refused = []
    for position in range(max((len(call) for call in calls), default=0)):
        if position in DISPATCHED.get(name, ()):
            refused.append([])
            continue
        at = [call for call in calls if len(call) > position]
        refused.append([
            kind
            for kind, samples in SAMPLES.items()
            if kind not in TAKEN_BEFORE.get(name, ()) and all(
                outcome(f"{callee}({', '.join(call[:position] + [sample] + call[position + 1:])})")
                for callee, call, sample in itertools.product(callees, at, samples)
            )
        ])
    return refused


def counts(callees, calls, seed):
    """How many arguments by position are ever taken."""
    rng = random.Random(seed)
    values = [sample for samples in SAMPLES.values() for sample in samples]
    taken = {len(call) for call in calls}
    for count in range(MOST + 1):
        if count in taken:
            continue
        # Arguments that work, with others after them: what is refused then is refused for their number.
        shorter = [call for call in calls if len(call) < count]
        longer = [call[:count] for call in calls if len(call) > count]
        tried = [call + rng.choices(values, k=count - len(call)) for call in shorter for _ in range(60)] + longer
        tried += [rng.choices(values, k=count) for _ in range(200)]
        if not all(outcome(f"{callee}({', '.join(call)})") for call in tried for callee in callees):
            taken.add(count)
    return min(taken), max(taken)


def keywords(name, callee):
    if name in KEYWORDS:
        return KEYWORDS[name].split()
    if name.split(".")[0] in MODULES:
        return ["?"]
    try:
        parameters = inspect.signature(eval(callee, {})).parameters.values()
    except (ValueError, TypeError):
        return ["?"]
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return ["**"]
    return [p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]


def measure():
    rows = {}
    for name, callees, calls in callables():
        fewest, most = ARITY.get(name) or counts(callees, calls, name)
        if name in UNBOUNDED:
            most = None
        rows[name] = {
            "fewest": fewest,
            "most": most,
            "keywords": keywords(name, callees[0]),
            "refused": refused_types(name, callees, calls),
        }
    return rows


def merged(all_rows):
    """What every version refuses."""
    result = {}
    for name in all_rows[0]:
        versions = [rows[name] for rows in all_rows]
        most = [row["most"] for row in versions]
        names = sorted({keyword for row in versions for keyword in row["keywords"]})
        result[name] = {
            "fewest": min(row["fewest"] for row in versions),
            "most": None if None in most else max(most),
            "keywords": names,
            "refused": [
                [kind for kind in kinds[0] if all(kind in others for others in kinds)]
                for kinds in zip(*(row["refused"] for row in versions))
            ],
        }
    return result


def written(rows):
    lines = []
    for name in sorted(rows):
        row = rows[name]
        refused = [",".join(kinds) for kinds in row["refused"]]
        while refused and not refused[-1]:
            refused.pop()
        most = "*" if row["most"] is None else str(row["most"])
        lines.append("\t".join([name, str(row["fewest"]), most, ",".join(row["keywords"]), ";".join(refused)]).rstrip("\t"))
    return "\n".join(lines) + "\n"


def read():
    rows = {}
    for line in TABLE.read_text().splitlines():
        name, fewest, most, names, refused = (line.split("\t") + [""] * 3)[:5]
        rows[name] = {
            "fewest": int(fewest),
            "most": None if most == "*" else int(most),
            "keywords": [keyword for keyword in names.split(",") if keyword],
            "refused": [kinds.split(",") if kinds else [] for kinds in refused.split(";")] if refused else [],
        }
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="others", action="append", default=[], help="another interpreter to ask")
    parser.add_argument("--json", action="store_true", help="print what this interpreter refuses")
    parser.add_argument("--check", action="store_true", help="this interpreter takes nothing that the table refuses")
    options = parser.parse_args()
    rows = measure()
    if options.json:
        json.dump(rows, sys.stdout)
        return 0
    if options.check:
        committed = read()
        same = written(merged([committed, rows])) == written(committed)
        wrong = [name for name in committed if merged([committed, rows])[name] != {**committed[name]}] if not same else []
        for name in wrong:
            print(f"{name}: the table has {committed[name]}, Python {sys.version.split()[0]} has {rows[name]}")
        print(f"{len(committed) - len(wrong)} passed, {len(wrong)} failed")
        return 1 if wrong else 0
    found = [rows]
    for other in options.others:
        answer = subprocess.run([other, __file__, "--json"], check=True, capture_output=True, text=True)
        found.append(json.loads(answer.stdout))
    TABLE.write_text(written(merged(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
