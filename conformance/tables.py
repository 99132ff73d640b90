"""What the generators of conformance tables share: the text of a sequence, and a table that is written or compared."""


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
