"""Element types: their names, their kinds, and which type an operation yields.

Inside the models a dtype is a string (`'float64'`), or Unknown. `'int'`, `'float'` and `'complex'`
are Python's own numbers, which adapt to the arrays they meet (NEP 50).
"""

from _pytrope import is_unknown, promote, unknown

ALIASES = {
    "bool": "bool",
    "?": "bool",
    "b1": "bool",
    "bool_": "bool",
    "int8": "int8",
    "i1": "int8",
    "b": "int8",
    "byte": "int8",
    "int16": "int16",
    "i2": "int16",
    "h": "int16",
    "short": "int16",
    "int32": "int32",
    "i4": "int32",
    "i": "int32",
    "intc": "int32",
    "int64": "int64",
    "i8": "int64",
    "l": "int64",
    "q": "int64",
    "int": "int64",
    "int_": "int64",
    "intp": "int64",
    "p": "int64",
    "long": "int64",
    "longlong": "int64",
    "uint8": "uint8",
    "u1": "uint8",
    "B": "uint8",
    "ubyte": "uint8",
    "uint16": "uint16",
    "u2": "uint16",
    "H": "uint16",
    "ushort": "uint16",
    "uint32": "uint32",
    "u4": "uint32",
    "I": "uint32",
    "uintc": "uint32",
    "uint64": "uint64",
    "u8": "uint64",
    "L": "uint64",
    "Q": "uint64",
    "uint": "uint64",
    "uintp": "uint64",
    "ulong": "uint64",
    "float16": "float16",
    "f2": "float16",
    "e": "float16",
    "half": "float16",
    "float32": "float32",
    "f4": "float32",
    "f": "float32",
    "single": "float32",
    "float64": "float64",
    "f8": "float64",
    "d": "float64",
    "float": "float64",
    "double": "float64",
    "complex64": "complex64",
    "c8": "complex64",
    "F": "complex64",
    "csingle": "complex64",
    "complex128": "complex128",
    "c16": "complex128",
    "D": "complex128",
    "complex": "complex128",
    "cdouble": "complex128",
}
KINDS = {
    "bool": "b",
    "int8": "i",
    "int16": "i",
    "int32": "i",
    "int64": "i",
    "uint8": "u",
    "uint16": "u",
    "uint32": "u",
    "uint64": "u",
    "float16": "f",
    "float32": "f",
    "float64": "f",
    "complex64": "c",
    "complex128": "c",
    "int": "i",
    "float": "f",
    "complex": "c",
}
SIZES = {
    "bool": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "uint8": 1,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
    "float16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}
LETTERS = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "l",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "L",
    "float16": "e",
    "float32": "f",
    "float64": "d",
    "complex64": "F",
    "complex128": "D",
}


def kind_of(name):
    """The kind letter of a dtype name; Unknown for Unknown."""
    if is_unknown(name):
        return name
    return KINDS.get(name, unknown("the kind of a dtype"))


def strong(name):
    """Python's own numbers as the dtype of an array made of them."""
    if is_unknown(name):
        return name
    if name == "int":
        return "int64"
    if name == "float":
        return "float64"
    if name == "complex":
        return "complex128"
    return name


def float_of(name):
    """The floating type that functions such as `sqrt` compute in."""
    if is_unknown(name):
        return name
    name = strong(name)
    if KINDS[name] in "fc":
        return name
    if name in ("bool", "int8", "uint8"):
        return "float16"
    if name in ("int16", "uint16"):
        return "float32"
    return "float64"


def mean_of(name):
    """The type of a mean or a quotient: integers become float64."""
    if is_unknown(name):
        return name
    name = strong(name)
    if KINDS[name] in "fc":
        return name
    return "float64"


def real_of(name):
    """The type of a real part or a magnitude."""
    if is_unknown(name):
        return name
    if name == "complex64":
        return "float32"
    if name == "complex128":
        return "float64"
    return name


def complex_of(name):
    """The complex type of the same precision."""
    if is_unknown(name):
        return name
    name = strong(name)
    if name in ("float16", "float32", "complex64"):
        return "complex64"
    return "complex128"


def sum_of(name):
    """The type of a sum or a product: small integers are widened."""
    if is_unknown(name):
        return name
    name = strong(name)
    kind = KINDS[name]
    if kind in "bi":
        return "int64"
    if kind == "u":
        return "uint64"
    return name
