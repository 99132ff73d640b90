"""Arrays made from sizes, values, sequences and other arrays."""

from .shapes import ALL, FEW, ones, tuple_text

LITERALS = [
    "5", "2.5", "True", "1j", "[]", "[1]", "[1, 2, 3]", "[1, 2.5]", "[True, False]", "[True, 2]", "[[1, 2], [3, 4]]",
    "[[1, 2, 3], [4, 5, 6]]", "[[1], [2]]", "[[]]", "[[], []]", "[[[1, 2]], [[3, 4]]]", "[[1, 2], [3]]", "[1, [2]]",
    "[[1], [[2]]]", "[[1, 2], [3, 4, 5]]", "(1, 2)", "((1, 2), (3, 4))", "[(1, 2), [3, 4]]", "range(4)", "[range(2), range(2)]",
    "[1j, 2]", "[[1.0, 2], [3, 4j]]", "np.ones((2, 3))", "[np.ones(3), np.ones(3)]", "[np.ones(3), np.ones(4)]",
    "[np.ones((2, 2)), np.zeros((2, 2))]", "[np.ones(2), [1, 2]]", "[np.ones(2), 3]", "[np.float32(1), np.float32(2)]",
    "[np.int8(1), 2]", "[[np.ones(2)], [np.ones(2)]]", "[[], [1]]", "[np.ones((1, 2)), np.ones((2, 1))]",
]
DTYPES = ["None", "int", "float", "bool", "complex", "np.float32", "np.int8", "np.uint8", "'float32'", "'i4'", "np.int64", "'complex64'"]


def rows():
    """Creation routines and their failures."""
    for name in ["array", "asarray", "asanyarray", "atleast_1d", "atleast_2d", "atleast_3d", "ascontiguousarray", "copy"]:
        for literal in LITERALS:
            yield f"np.{name}", f"np.{name}({literal})"
    for literal in ["5", "[1, 2]", "[[1, 2], [3, 4]]", "[]", "[1.5]", "np.ones((2, 3))", "[True]"]:
        for dtype in DTYPES:
            yield "np.array", f"np.array({literal}, dtype={dtype})"
            yield "np.asarray", f"np.asarray({literal}, {dtype})"
    for ndmin in range(4):
        yield "np.array", f"np.array([1, 2], ndmin={ndmin})"
        yield "np.array", f"np.array([[1, 2]], ndmin={ndmin})"
    for name in ["zeros", "ones", "empty"]:
        for shape in ALL:
            yield f"np.{name}", f"np.{name}({tuple_text(shape)})"
        for argument in ["5", "0", "-1", "(2, -1)", "[2, 3]", "2.5", "(2, 2.0)", "'a'", "None", "np.int64(3)", "True", "range(3)", "np.array([2, 3])"]:
            yield f"np.{name}", f"np.{name}({argument})"
        for dtype in DTYPES:
            yield f"np.{name}", f"np.{name}((2, 3), {dtype})"
            yield f"np.{name}", f"np.{name}(2, dtype={dtype})"
        yield f"np.{name}", f"np.{name}((2, 3), order='F')"
        yield f"np.{name}", f"np.{name}()"
        yield f"np.{name}", f"np.{name}(2, 3)"
        yield f"np.{name}", f"np.{name}(shape=(2, 3))"
    for shape in ["3", "(2, 3)", "()", "(0,)", "-1", "2.0"]:
        for fill in ["0", "1.5", "True", "1j"]:
            yield "np.full", f"np.full({shape}, {fill})"
            yield "np.full", f"np.full({shape}, {fill}, dtype=float)"
    for fill in ["[1, 2, 3]", "[1, 2]", "np.ones(3)", "np.ones((2, 1))", "np.ones((3, 1))", "[[1, 2, 3], [4, 5, 6]]"]:
        yield "np.full", f"np.full((2, 3), {fill})"
    for name in ["zeros_like", "ones_like", "empty_like"]:
        for shape in FEW:
            yield f"np.{name}", f"np.{name}({ones(shape)})"
            yield f"np.{name}", f"np.{name}({ones(shape, 'int')}, dtype=bool)"
        for argument in ["[1, 2]", "[[1.0], [2.0]]", "5", "[[1, 2], [3]]"]:
            yield f"np.{name}", f"np.{name}({argument})"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), shape=(4,))"
    for shape in FEW:
        yield "np.full_like", f"np.full_like({ones(shape)}, 7)"
        yield "np.full_like", f"np.full_like({ones(shape, 'int')}, 2.5, dtype=float)"
    yield "np.full_like", "np.full_like(np.ones((2, 3)), [1, 2])"
    for args in ["3", "0", "-1", "3, 4", "3, k=1", "3, 2, 1", "3, dtype=int", "2.0", "3, 4, -2, int", "'a'", "N=3, M=2"]:
        yield "np.eye", f"np.eye({args})"
    for args in ["3", "0", "-2", "3, int", "2.5"]:
        yield "np.identity", f"np.identity({args})"
    for args in [
        "5", "0", "-3", "2, 8", "2, 8, 3", "8, 2", "8, 2, -1", "8, 2, -4", "0, 1, 0.25", "0.0, 1.0, 0.1", "5.0", "2.5", "0, 10, 0", "1, 2, 3, dtype=float",
        "5, dtype='float32'", "True", "1, 10, 2.5", "10, 1, -2.5", "stop=4", "1, stop=4", "-1, 1, 0.5", "np.int64(3)", "0, 6, 2", "0, 7, 2", "-5, 5, 3",
    ]:
        yield "np.arange", f"np.arange({args})"
    for args in [
        "0, 1", "0, 1, 5", "0, 1, 0", "0, 1, 1", "0, 1, -1", "0, 1, 2.0", "0, 1, num=7", "0, 1, 5, endpoint=False", "0, 1, 5, retstep=True", "[0, 1], [2, 3], 4",
        "np.zeros(3), np.ones(2), 4", "np.zeros((2, 1)), 1, 4", "[0, 1], [2, 3], 4, axis=1", "0, 1, 5, dtype=int", "[0, 1], [2, 3], 4, axis=2", "0, 1, 5, axis=-1",
        "np.zeros((2, 3)), 1, 4, axis=-1",
    ]:
        for name in ["linspace", "logspace"]:
            if name == "linspace" or "retstep" not in args:
                yield f"np.{name}", f"np.{name}({args})"
    for args in ["1, 10, 4", "1, 1000", "1, 8, 0", "1, 8, -1", "[1, 2], [3, 4], 5"]:
        yield "np.geomspace", f"np.geomspace({args})"
    for args in ["3", "3, 4", "3, 4, 1", "0", "-1", "2, k=-1", "3, dtype=int"]:
        yield "np.tri", f"np.tri({args})"
    for name in ["tril", "triu"]:
        for shape in ALL:
            yield f"np.{name}", f"np.{name}({ones(shape)})"
        yield f"np.{name}", f"np.{name}(np.ones((3, 3), dtype=int), k=1)"
        yield f"np.{name}", f"np.{name}([[1, 2], [3, 4]], -1)"
    for name in ["diag", "diagflat"]:
        for shape in ALL:
            for k in ["", ", 1", ", k=-2"]:
                yield f"np.{name}", f"np.{name}({ones(shape)}{k})"
        yield f"np.{name}", f"np.{name}([1, 2, 3])"
        yield f"np.{name}", f"np.{name}([[1, 2], [3, 4]])"
    for shape in ALL:
        yield "np.vander", f"np.vander({ones(shape)})"
    yield "np.vander", "np.vander([1, 2, 3], 2)"
    yield "np.vander", "np.vander(np.ones(4), N=5, increasing=True)"
    vectors = ["np.ones(2)", "[1, 2, 3]", "np.arange(4)", "5", "np.ones((2, 2))", "np.ones(0)"]
    for a in vectors:
        yield "np.meshgrid", f"np.meshgrid({a})"
        for b in vectors:
            yield "np.meshgrid", f"np.meshgrid({a}, {b})"
            yield "np.meshgrid", f"np.meshgrid({a}, {b}, indexing='ij')"
            yield "np.meshgrid", f"np.meshgrid({a}, {b}, np.ones(5), sparse=True)"
    yield "np.meshgrid", "np.meshgrid(np.ones(2), np.ones(3), indexing='yx')"
    yield "np.meshgrid", "np.meshgrid()"
    for args in ["(2, 3)", "(3,)", "()", "(2, 3), dtype=float", "(2, 0)", "(2, 3), sparse=True"]:
        yield "np.indices", f"np.indices({args})"
    for args in ["0:3", "0:3, 0:2", "0:10:2", "0:1:5j", "0:2, 0:1:3j"]:
        yield "np.mgrid", f"np.mgrid[{args}]"
        yield "np.ogrid", f"np.ogrid[{args}]"
    for args in ["lambda i, j: i + j, (2, 3)", "lambda i: i, (4,)", "lambda i, j: i * j, (2, 3), dtype=int", "lambda i: i, 4"]:
        yield "np.fromfunction", f"np.fromfunction({args})"
    for args in ["range(5), float", "[1, 2, 3], dtype=int", "(i for i in range(3)), int, count=3", "[1.5], float"]:
        yield "np.fromiter", f"np.fromiter({args})"
    for args in ["'1 2 3', sep=' '", "'1,2', dtype=int, sep=','"]:
        yield "np.fromstring", f"np.fromstring({args})"
    for args in ["3", "4, 1", "3, k=-1", "3, m=4", "0"]:
        for name in ["tril_indices", "triu_indices"]:
            yield f"np.{name}", f"np.{name}({args})"
    for shape in ["(3,3)", "(2,3)", "(3,)", "(2,2,2)"]:
        for name in ["tril_indices_from", "triu_indices_from", "diag_indices_from"]:
            yield f"np.{name}", f"np.{name}(np.ones({shape}))"
    for args in ["3", "4, 3", "2, ndim=1"]:
        yield "np.diag_indices", f"np.diag_indices({args})"
    for name in ["float64", "float32", "int64", "int32", "int8", "uint8", "bool", "complex128", "int16", "float16"]:
        for value in ["1", "2.5", "True", "[1, 2]", "np.ones((2, 3))", "np.float64(1)", ""]:
            yield f"np.{name}", f"np.{name}({value})"
    for name in ["blackman", "bartlett", "hamming", "hanning"]:
        for value in ["5", "0", "1", "-2"]:
            yield f"np.{name}", f"np.{name}({value})"
    for value in ["5, 14", "0, 1.0", "1, 2"]:
        yield "np.kaiser", f"np.kaiser({value})"
    for args in ["[[1, 2], [3, 4]]", "np.ones(3), np.ones(3)", "np.ones((2, 3)), 1"]:
        yield "np.require", f"np.require({args.split(', np')[0]})"
    for args in ["[0, 1, 2], [3, 4]", "[0, 1], [1, 2], [2]", "[0, 1]", "[[0]], [1]", "[True, False], [1, 2]"]:
        yield "np.ix_", f"np.ix_({args})"
