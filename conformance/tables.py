"""What the generators of conformance tables share: the outcome of a row, and a table that is written or compared."""


def show_sequence(value, show):
    """The text of a tuple or list; None when the text of a part is None."""
    parts = [show(part) for part in value]
    if None in parts:
        return None
    if parts and all(part.startswith("= ") for part in parts):
        inner = ", ".join(part[2:] for part in parts)
        if isinstance(value, list):
            return f"= [{inner}]"
        return f"= ({inner},)" if len(parts) == 1 else f"= ({inner})"
    return "[" + "; ".join(parts) + "]"


def settle_table(path, lines, only_compare):
    """Writes a table, or says whether the file holds these lines."""
    text = "".join(lines)
    if only_compare:
        return path.exists() and path.read_text(encoding="utf-8") == text
    path.write_text(text, encoding="utf-8")
    return True


def evaluate_row(expression, prelude, scope, show):
    """What the library does: statements before the last `; ` are run, the rest is shown or its exception named."""
    *statements, last = expression.split("; ")
    try:
        exec(prelude, scope)
        for statement in statements:
            exec(statement, scope)
        return show(eval(last, scope))
    except Exception as error:
        return "!" + type(error).__name__


def settle_families(folder, families, outcome, library, only_compare):
    """Writes or compares a table for each family of rows; ends with an error where one differs."""
    current = True
    for family in families:
        outcomes = ((expression, outcome(expression)) for expression in dict.fromkeys(family()))
        lines = [f"{expression}\t{result}\n" for expression, result in outcomes if result is not None]
        print(f"{len(lines)} rows, {family.__name__} of {library}")
        current &= settle_table(folder / f"{family.__name__}.tsv", lines, only_compare)
    if not current:
        raise SystemExit("a table differs from the library")
