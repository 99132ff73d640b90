"""`struct`: how many values a format takes and how many bytes it stands for, where its sizes are the standard ones."""

from _pytrope import is_constant, some, standard, unknown

_SIZES = {
    "x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "e": 2, "i": 4, "I": 4, "l": 4, "L": 4, "f": 4,
    "q": 8, "Q": 8, "d": 8, "s": 1, "p": 1, "n": None, "N": None, "P": None,
}  # fmt: skip


class error(Exception):
    pass


def _read(format):
    """`(values, bytes)` of a format; the bytes are None where they depend on the machine."""
    if not is_constant(format) or not isinstance(format, str):
        return unknown("a format")
    is_standard = format[:1] in ("<", ">", "=", "!")
    values = 0
    size = 0
    count = ""
    for code in format[1:] if is_standard or format[:1] == "@" else format:
        if code in " \t\n":
            continue
        if code in "0123456789":
            count = count + code
            continue
        if code not in _SIZES:
            return unknown("a format")
        many = int(count) if count else 1
        count = ""
        if code in "sp":
            values = values + 1
        elif code != "x":
            values = values + many
        if size is not None:
            size = None if _SIZES[code] is None else size + many * _SIZES[code]
    if count:
        return unknown("a format")
    return values, size if is_standard else None


def _require_values(function, format, given):
    read = _read(format)
    if is_constant(read) and is_constant(len(given)) and len(given) != read[0]:
        raise error(f"{function} expected {read[0]} items for packing (got {len(given)})")


def pack(format, /, *values):
    _require_values("pack", format, values)
    return some(bytes)


def pack_into(format, buffer, offset, /, *values):
    _require_values("pack_into", format, values)
    return None


def _unpacked(format):
    read = _read(format)
    if not is_constant(read):
        return unknown("what a format stands for")
    return tuple([unknown("an unpacked value") for _ in range(read[0])])


def unpack(format, buffer, /):
    read = _read(format)
    if is_constant(read) and read[1] is not None and isinstance(buffer, bytes) and is_constant(len(buffer)):
        if len(buffer) != read[1]:
            raise error(f"unpack requires a buffer of {read[1]} bytes")
    return _unpacked(format)


def unpack_from(format, /, buffer, offset=0):
    return _unpacked(format)


def calcsize(format, /):
    read = _read(format)
    return read[1] if is_constant(read) and read[1] is not None else some(int)


def iter_unpack(format, buffer, /):
    return unknown("struct.iter_unpack")


Struct = standard()
