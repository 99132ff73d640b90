"""Universal functions and operators, with broadcasting, scalars, `out` and ufunc methods."""

from .shapes import ALL, FEW, PAIRS, ones, tuple_text

UNARY_FLOAT = [
    "sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "sinh", "cosh", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "log2", "log10",
    "log1p", "expm1", "exp2", "cbrt", "deg2rad", "rad2deg", "degrees", "radians", "floor", "ceil", "trunc", "rint", "fabs", "spacing", "i0", "sinc",
]
UNARY_KEEP = ["abs", "absolute", "negative", "positive", "square", "conj", "conjugate", "sign", "reciprocal", "real", "imag", "nan_to_num", "fix", "round", "around"]
UNARY_BOOL = ["isnan", "isinf", "isfinite", "signbit", "logical_not", "iscomplex", "isreal", "isneginf", "isposinf"]
UNARY_INT = ["invert", "bitwise_not", "bitwise_count"]
BINARY = [
    "add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "mod", "remainder", "fmod", "power", "float_power", "maximum", "minimum", "fmax", "fmin",
    "arctan2", "hypot", "logaddexp", "logaddexp2", "copysign", "nextafter", "heaviside", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal",
    "logical_and", "logical_or", "logical_xor", "isclose", "divmod", "ldexp",
]
BINARY_INT = ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "gcd", "lcm"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!="]
BIT_OPERATORS = ["&", "|", "^", "<<", ">>"]
KINDS = ["bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]


def rows():
    """Elementwise calls."""
    for name in [*UNARY_FLOAT, *UNARY_KEEP, *UNARY_BOOL]:
        for shape in [(), (0,), (3,), (2, 3), (2, 1, 4)]:
            yield f"np.{name}", f"np.{name}({ones(shape)})"
        for argument in ["2", "0.5", "[1, 2]", "[[0.5], [0.25]]", "[[1, 2], [3]]", ones((2, 3), "int"), ones((3,), "float32"), ones((2,), "bool")]:
            yield f"np.{name}", f"np.{name}({argument})"
        yield f"np.{name}", f"np.{name}()"
    for name in UNARY_INT:
        for argument in [ones((3,), "int"), ones((2, 3), "bool"), "5", "[1, 2]", ones((3,)), "2.5"]:
            yield f"np.{name}", f"np.{name}({argument})"
    for name in ["angle", "real_if_close", "modf", "frexp"]:
        for shape in [(), (3,), (2, 3)]:
            yield f"np.{name}", f"np.{name}({ones(shape)})"
    for decimals in ["0", "2", "-1"]:
        yield "np.round", f"np.round(np.ones((2, 3)), {decimals})"
        yield "np.around", f"np.around(np.ones(3, dtype=int), decimals={decimals})"
    for index, name in enumerate(BINARY):
        for position, (a, b) in enumerate(PAIRS):
            if (position + index) % 3 == 0 or name in {"add", "maximum"}:
                yield f"np.{name}", f"np.{name}({ones(a, 'int' if name == 'ldexp' else None)}, {ones(b, 'int' if name == 'ldexp' else None)})"
        for a, b in [("[1, 2]", "3"), ("2.5", "[1, 2]"), ("[1, 2]", "[1, 2, 3]"), ("2", "3"), ("2.0", "3"), (ones((3,), "int"), "2"), (ones((3,), "bool"), ones((3,), "bool"))]:
            yield f"np.{name}", f"np.{name}({a}, {b})"
    for name in BINARY_INT:
        for a, b in PAIRS[::5]:
            yield f"np.{name}", f"np.{name}({ones(a, 'int')}, {ones(b, 'int')})"
        yield f"np.{name}", f"np.{name}(np.ones(3), np.ones(3))"
        yield f"np.{name}", f"np.{name}(np.ones(3, dtype=bool), np.ones(3, dtype=bool))"
    for index, operator in enumerate(OPERATORS):
        for position, (a, b) in enumerate(PAIRS):
            if (position + index) % 2 == 0 or operator == "+":
                yield f"operator {operator}", f"{ones(a)} {operator} {ones(b)}"
        for shape in FEW:
            yield f"operator {operator}", f"{ones(shape)} {operator} 2"
            yield f"operator {operator}", f"2.5 {operator} {ones(shape)}"
        for a, b in [("np.ones(3)", "[1, 2, 3]"), ("[1, 2]", "np.ones(3)"), ("np.ones((2, 3))", "(1, 2, 3)"), ("np.ones(2)", "np.float32(2)"), ("np.float64(2)", "[1, 2]"), ("np.float32(2)", "3")]:
            yield f"operator {operator}", f"{a} {operator} {b}"
        for kind in KINDS:
            yield f"operator {operator}", f"{ones((2,), kind)} {operator} 1"
            yield f"operator {operator}", f"{ones((2,), kind)} {operator} 1.5"
            yield f"operator {operator}", f"1 {operator} {ones((2,), kind)}"
    for a in KINDS:
        for b in KINDS:
            for operator in ["+", "/", "**", "<", "//"]:
                yield f"operator {operator}", f"{ones((2,), a)} {operator} {ones((2,), b)}"
    for operator in BIT_OPERATORS:
        for a, b in PAIRS[::3]:
            yield f"operator {operator}", f"{ones(a, 'int')} {operator} {ones(b, 'int')}"
        for kind in KINDS:
            yield f"operator {operator}", f"{ones((2,), kind)} {operator} 1"
            yield f"operator {operator}", f"{ones((2,), kind)} {operator} {ones((2,), 'bool')}"
    for operator in ["-", "+", "~", "abs"]:
        for kind in KINDS:
            array = ones((2, 3), kind)
            yield f"operator {operator}", f"abs({array})" if operator == "abs" else f"{operator}{array}"
        for shape in [(), (0,), (3,)]:
            array = ones(shape, "int")
            yield f"operator {operator}", f"abs({array})" if operator == "abs" else f"{operator}{array}"
    for operator in ["+=", "-=", "*=", "/=", "//=", "%=", "**="]:
        for a, b in PAIRS[::2]:
            yield f"operator {operator}", f"a = {ones(a)}; a {operator} {ones(b)}; a"
        for a, b in [("int", "float"), ("float", "int"), ("float32", "float64"), ("bool", "int"), ("int", "int"), ("int", "complex"), ("uint8", "int64")]:
            yield f"operator {operator}", f"a = {ones((3,), a)}; a {operator} {ones((3,), b)}; a"
        for value in ["2", "2.5", "[1, 2, 3]", "[1, 2]", "np.float64(2)"]:
            yield f"operator {operator}", f"a = {ones((3,), 'int')}; a {operator} {value}; a"
            yield f"operator {operator}", f"a = {ones((3,))}; a {operator} {value}; a"
            yield f"operator {operator}", f"a = np.ones(4).sum(); a {operator} {value}; a"
    for name in ["add", "maximum", "exp", "sqrt"]:
        arguments = "np.ones((2, 3)), np.ones(3)" if name in {"add", "maximum"} else "np.ones((2, 3))"
        for out in ["np.zeros((2, 3))", "np.zeros((3, 2))", "np.zeros(3)", "np.zeros((4, 2, 3))", "np.zeros((2, 3), dtype=int)", "None", "np.zeros((2, 3), dtype='float32')"]:
            yield f"np.{name}", f"np.{name}({arguments}, out={out})"
        for where in ["True", "np.ones((2, 3), dtype=bool)", "np.ones(3, dtype=bool)", "np.ones(2, dtype=bool)", "np.ones((4, 1, 1), dtype=bool)"]:
            yield f"np.{name}", f"np.{name}({arguments}, where={where})"
        for dtype in ["float", "'float32'", "complex"]:
            yield f"np.{name}", f"np.{name}({arguments}, dtype={dtype})"
    for name in ["add", "multiply", "maximum", "logical_or"]:
        for shape in [(3,), (2, 3), (2, 3, 4), (0,)]:
            for axis in ["", ", axis=0", ", axis=1", ", axis=-1", ", axis=None", ", axis=5", ", keepdims=True", ", axis=(0, 1)"]:
                yield f"np.{name}.reduce", f"np.{name}.reduce({ones(shape)}{axis})"
            for axis in ["", ", axis=0", ", axis=1", ", axis=3"]:
                yield f"np.{name}.accumulate", f"np.{name}.accumulate({ones(shape)}{axis})"
        for a, b in PAIRS[::9]:
            yield f"np.{name}.outer", f"np.{name}.outer({ones(a)}, {ones(b)})"
        yield f"np.{name}.at", f"a = np.zeros(4); np.{name}.at(a, [0, 1], 1); a"
        yield f"np.{name}.reduceat", f"np.{name}.reduceat(np.arange(8), [0, 4, 6])"
    for args in ["0, 1", "0.0, 1.0", "None, 1", "0, None", "np.zeros(3), 1", "np.zeros(2), 1", "0, np.ones((2, 1))", "min=0", "max=1", "a_min=0, a_max=1"]:
        yield "np.clip", f"np.clip(np.ones((2, 3)), {args})"
        yield "np.clip", f"np.clip([1, 2, 3], {args})"
        if "a_m" not in args:
            yield "ndarray.clip", f"np.ones((2, 3)).clip({args})"
    for a, b in PAIRS[::4]:
        yield "np.array_equal", f"np.array_equal({ones(a)}, {ones(b)})"
        yield "np.allclose", f"np.allclose({ones(a)}, {ones(b)})"
        yield "np.array_equiv", f"np.array_equiv({ones(a)}, {ones(b)})"
    for args in ["np.ones(3), [0, 1], [0, 1]", "2.5, [0, 1, 3], [0, 1, 2]", "[1, 2], [0, 1, 2], [0, 1]", "np.ones((2, 3)), [0, 1], [0, 1]"]:
        yield "np.interp", f"np.interp({args})"
    for shape in ALL:
        yield "np.unwrap", f"np.unwrap({ones(shape)})"
    for args in ["lambda v: v * 2", "lambda v: 1.5 * v"]:
        yield "np.vectorize", f"np.vectorize({args})(np.ones((2, 3)))"
        yield "np.vectorize", f"np.vectorize({args})([1.0, 2.0])"
    for a, b in PAIRS:
        yield "np.broadcast_shapes", f"np.broadcast_shapes({tuple_text(a)}, {tuple_text(b)})"
        yield "np.broadcast_to", f"np.broadcast_to({ones(b)}, {tuple_text(a)})"
    for a, b in PAIRS[::2]:
        yield "np.broadcast_arrays", f"np.broadcast_arrays({ones(a)}, {ones(b)})"
    for args in ["np.ones(3), 5", "np.ones(3), 3", "5, (2, 2)", "[1, 2], (3, 2)", "np.ones((2, 3)), (-1, 3)"]:
        yield "np.broadcast_to", f"np.broadcast_to({args})"
