"""Compares what `check --show-shapes` says of a library file alone with the shapes that a run of the library had.

    python compare.py PYTROPE TRACE.json [--list KIND]

For each variable that a line assigns (file, line, name): `unknown` (nothing, or no rank), `rank` (the rank is right and some
size is not known), `sizes` (every size is right for every recorded activation, symbols by the values that the activation or
the constructor gave their names), `contradicted` (some activation has another rank or size).
"""

import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict

ARRAY = re.compile(r"^(?:Tensor|Parameter|ndarray|Buffer)\[(.*)\]$")


def parse_shape(text: str):
    """The sizes of one value as it is shown; None for what is no array, "..." where the rank is open."""
    found = ARRAY.match(text.strip())
    if not found:
        return None
    inside = found.group(1)
    if inside == "()":
        return []
    parts, depth, start = [], 0, 0
    for at, char in enumerate(inside):
        depth += char in "([" and 1 or char in ")]" and -1 or 0
        if char == "," and depth == 0:
            parts.append(inside[start:at].strip())
            start = at + 1
    return [*parts, inside[start:].strip()]


def evaluate(text: str, environment: dict[str, int]):
    """The value of a size, or the one name in it that has none."""
    missing = []

    def value(node):
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id not in environment:
                missing.append(node.id)
                return 1
            return environment[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            return {"min": min, "max": max}[node.func.id](*map(value, node.args))
        if isinstance(node, ast.BinOp):
            a, b = value(node.left), value(node.right)
            match node.op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.FloorDiv():
                    return a // b if b else 0
                case ast.Mod():
                    return a % b if b else 0
                case ast.Pow():
                    return a**b
        # `x.shape[0]` of a parameter.
        text = ast.unparse(node)
        if text in environment:
            return environment[text]
        missing.append(text)
        return 1

    try:
        result = value(ast.parse(text.strip(), mode="eval"))
    except SyntaxError:
        return None, [text]
    return result, missing


def judge_sizes(sizes: list[str], record: dict, learned: dict[str, int]) -> str:
    """Whether the sizes shown fit one activation; a name without a value takes the one it must have."""
    shape = record["shape"]
    opened = "..." in sizes
    if opened:
        at = sizes.index("...")
        first, last = sizes[:at], sizes[at + 1 :]
        if len(shape) < len(first) + len(last):
            return "contradicted"
        pairs = list(zip(first, shape, strict=False)) + list(zip(last, shape[len(shape) - len(last) :], strict=True))
    else:
        if len(sizes) != len(shape):
            return "contradicted"
        pairs = list(zip(sizes, shape, strict=True))
    verdict = "unknown" if opened else "sizes"
    sizes_given = record.get("sizes", {})
    environments = [
        {**learned, **sizes_given, **record["constructed"], **record["locals"]},
        {**learned, **sizes_given, **record["locals"], **record["constructed"], **record["given"]},
        {**sizes_given, **record["constructed"], **record["locals"], **learned},
    ]
    for text, actual in pairs:
        if "?" in text:
            verdict = "rank" if verdict == "sizes" else verdict
            continue
        answers = [evaluate(text, environment) for environment in environments]
        if any(value == actual and not missing for value, missing in answers):
            continue
        if any(not missing for _, missing in answers):
            return "contradicted"
        missing = answers[0][1]
        if len(missing) == 1 and missing[0] == text:
            learned[text] = actual
        else:
            verdict = "rank" if verdict == "sizes" else verdict
    return verdict


def shown_values(pytrope: str, path: str) -> dict[tuple[int, str], list[str]]:
    command = [pytrope, "check", "--show-shapes", "--exit-zero", "--output-format", "json", path]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        shapes = json.loads(answer.stdout)["shapes"]
    except (json.JSONDecodeError, KeyError):
        print(f"no answer for {path}: {answer.stderr[:200]}", file=sys.stderr)
        return {}
    found = defaultdict(list)
    for shown in shapes:
        found[shown["line"], shown["name"]].append((shown["value"], shown.get("reason")))
    return found


def main() -> None:
    pytrope, trace = sys.argv[1:3]
    listed = sys.argv[sys.argv.index("--list") + 1] if "--list" in sys.argv else "contradicted"
    records = json.loads(open(trace, encoding="utf-8").read())["records"]
    by_file = defaultdict(lambda: defaultdict(list))
    for record in records:
        by_file[record["path"]][record["line"], record["name"]].append(record)
    total, causes = Counter(), Counter()
    for path in sorted(by_file):
        shown = shown_values(pytrope, path)
        count = Counter()
        # A name of another function stands for one size in each iteration of a loop.
        learned: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
        for (line, name), seen in sorted(by_file[path].items()):
            values = shown.get((line, name), [])
            verdicts, text = [], " | ".join(value for value, _ in values)
            alternatives = [parse_shape(part) for value, _ in values for part in split_union(value)]
            turns = Counter()
            for record in seen:
                turns[record["activation"]] += 1
                names = learned[record["activation"], turns[record["activation"]]]
                each = [judge_sizes(sizes, record, names) if sizes is not None else "other" for sizes in alternatives]
                fitting = [verdict for verdict in each if verdict not in ("contradicted", "other")]
                if not each or "other" in each and not fitting:
                    verdicts.append("unknown")
                elif not fitting:
                    verdicts.append("contradicted")
                elif "other" in each and not all(
                    part == "None" for value, _ in values for part in split_union(value) if parse_shape(part) is None
                ):
                    verdicts.append("unknown")
                else:
                    verdicts.append(max(fitting, key=("unknown", "rank", "sizes").index))
            order = ("contradicted", "unknown", "rank", "sizes")
            verdict = min(verdicts, key=order.index)
            count[verdict] += 1
            if verdict == "unknown" and values:
                causes[values[0][1] or text] += 1
            if verdict == listed:
                print(f"{path}:{line}: {name}: {text} ({values[0][1] if values else ''}); observed {seen[0]['shape']}")
        total.update(count)
        print(f"{path.rsplit('site-packages/')[-1]}: {dict(count)}", file=sys.stderr)
    everything = sum(total.values())
    ranked = total["rank"] + total["sizes"]
    print(
        f"{everything} variables: rank known {ranked} ({100 * ranked / max(everything, 1):.0f} %), every size right "
        f"{total['sizes']} ({100 * total['sizes'] / max(everything, 1):.0f} %), contradicted {total['contradicted']}"
    )
    for cause, number in causes.most_common(12):
        print(f"  {number:4} {cause[:110]}", file=sys.stderr)
    print(f"{everything - total['contradicted']} passed, {total['contradicted']} failed")
    if total["contradicted"] or not everything:
        sys.exit(1)


def split_union(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += char in "([" and 1 or char in ")]" and -1 or 0
        if char == "|" and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


if __name__ == "__main__":
    main()
