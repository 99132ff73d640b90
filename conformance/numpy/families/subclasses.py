"""Matrices, masked arrays and arrays of records. A row ends with a shape, because their class is none that tables name."""

MATRICES = ["np.matrix(np.ones((2, 3)))", "np.matrix([[1, 2], [3, 4]])", "np.asmatrix(np.ones((3, 2)))", "np.matrix([1, 2, 3])"]
OPERANDS = MATRICES + ["np.ones((3, 2))", "np.ones(3)", "np.ones(2)", "np.ones((1, 3))", "2", "[1, 2]", "[[1], [2], [3]]"]
INDICES = ["0", "-1", "2", "(0, 1)", "(1, 0)", "(0, 3)", "(slice(None), 0)", "(0, slice(None))", "slice(1, None)", "(slice(None), 5)", "(0, 0, 0)", "(slice(None), slice(0, 1))", "[0]", "(slice(None), [0, 1])"]
REDUCTIONS = ["sum", "mean", "std", "var", "max", "min", "prod", "any", "all"]
MASKED = ["np.ma.array(np.ones((2, 3)), mask=np.zeros((2, 3)))", "np.ma.masked_array([1, 2, 3], mask=[0, 1, 0])", "np.ma.zeros((3, 1))", "np.ma.masked_where(np.arange(6) > 3, np.arange(6))", "np.ma.masked_equal([[1, 2], [3, 4]], 3)", "np.ma.masked_invalid([1.0, np.nan])"]
RECORDS = [
    "np.zeros(5, dtype=[('x', float), ('y', 'f4')])",
    "np.array([('Ann', 31, 1.7), ('Bob', 45, 1.8)], dtype=[('name', 'U10'), ('age', 'i4'), ('height', 'f8')])",
    "np.ones((4, 2), dtype=[('id', 'i8'), ('pos', 'f4', (3,))])",
    "np.empty(3, dtype={'names': ['x', 'y'], 'formats': ['i4', 'f8']})",
    "np.zeros(3, dtype='i4, f8')",
    "np.zeros(3, dtype=np.dtype([('x', 'i2'), ('in', [('x', 'f8'), ('b', 'u1')])]))",
]
FIELDS = ["x", "y", "name", "age", "pos", "weight", "f0", "f1", "in", "X"]


def rows():
    """`(subject, source)` pairs."""
    yield from matrices()
    yield from masked_arrays()
    yield from records()


def matrices():
    """`numpy.matrix`."""
    texts = ["'1 2;3 4'", "'1 2 3;4 5'", "'1, 2, 3'", "np.ones((2, 2, 2))", "5", "[[1, 2], [3]]", "np.matrix([[1, 2]])", "np.ones((0, 3))"]
    for text in texts:
        yield "np.matrix", f"np.matrix({text}).shape"
        yield "np.asmatrix", f"np.asmatrix({text}).shape"
    for left in MATRICES:
        for right in OPERANDS:
            for operator in ["*", "@", "+", "-", "/"]:
                yield f"matrix {operator}", f"({left} {operator} {right}).shape"
            yield "matrix from the right", f"({right} * {left}).shape"
            yield "matrix.dot", f"({left}).dot({right}).shape"
        for index in INDICES:
            yield "matrix.__getitem__", f"m = {left}; m[{index}].shape"
            yield "matrix.__setitem__", f"m = {left}; m[{index}] = 1; m.shape"
            yield "matrix.__setitem__", f"m = {left}; m[{index}] = [1, 2]; m.shape"
        for name in REDUCTIONS:
            for arguments in ["axis=0", "axis=1", "axis=-1", "1", "axis=2", "axis=-3"]:
                yield f"matrix.{name}", f"({left}).{name}({arguments}).shape"
        for name in ["T", "H", "A", "A1", "I", "copy()", "flatten()", "ravel()", "transpose()", "getA()", "astype(int)", "dtype", "size"]:
            yield "matrix", f"({left}).{name}.shape" if name != "size" else f"({left}).size"
        for power in ["2", "0", "3"]:
            yield "matrix **", f"(({left}) ** {power}).shape"
        yield "matrix", f"len({left})"
        yield "matrix", f"[row.shape for row in {left}]"
        yield "matrix", f"np.asarray({left}).shape"
        yield "matrix", f"np.array({left})[0].shape"
        yield "matrix", f"({left}).ndim"


def masked_arrays():
    """`numpy.ma`."""
    for data in ["np.ones((2, 3))", "[1, 2, 3]", "np.zeros(4)", "5.0"]:
        for mask in ["[0, 1, 0]", "np.zeros((3, 2))", "True", "False", "[1]", "np.ma.nomask", "np.zeros((2, 3))", "[[0], [1]]", "0"]:
            yield "np.ma.array", f"np.ma.array({data}, mask={mask}).shape"
            yield "np.ma.masked_array", f"np.ma.masked_array({data}, {mask}).shape"
        for condition in ["np.ones(3) > 0", "np.ones((2, 3)) > 0", "np.array([True, False])", "True"]:
            yield "np.ma.masked_where", f"np.ma.masked_where({condition}, {data}).shape"
        for name in ["masked_greater", "masked_less", "masked_equal", "masked_not_equal", "masked_greater_equal", "masked_less_equal", "masked_values"]:
            yield f"np.ma.{name}", f"np.ma.{name}({data}, 1).shape"
        for name in ["masked_inside", "masked_outside"]:
            yield f"np.ma.{name}", f"np.ma.{name}({data}, 0, 1).shape"
        yield "np.ma.masked_invalid", f"np.ma.masked_invalid({data}).shape"
        yield "np.ma.getmaskarray", f"np.ma.getmaskarray({data}).shape"
        yield "np.ma.filled", f"np.ma.filled({data}).shape"
    for name in ["zeros", "ones", "empty", "masked_all"]:
        for shape in ["3", "(2, 3)", "()", "-1"]:
            yield f"np.ma.{name}", f"np.ma.{name}({shape}).shape"
    for left in MASKED:
        for right in [*MASKED, "2", "np.ones(3)", "[1, 2]", "np.ones((2, 1))"]:
            for operator in ["+", "-", "*", "/"]:
                yield f"masked {operator}", f"({left} {operator} {right}).shape"
                yield f"masked {operator} from the right", f"({right} {operator} {left}).shape"
        for index in INDICES:
            yield "masked.__getitem__", f"m = {left}; m[{index}].shape"
            yield "masked.__setitem__", f"m = {left}; m[{index}] = 1; m.shape"
            yield "masked.__setitem__", f"m = {left}; m[{index}] = np.ones(2); m.shape"
            yield "masked.__setitem__", f"m = {left}; m[{index}] = np.ma.masked; m.shape"
        for name in REDUCTIONS:
            for arguments in ["axis=0", "axis=1", "axis=-1", "1", "axis=2", "axis=0, keepdims=True"]:
                yield f"masked.{name}", f"({left}).{name}({arguments}).shape"
            yield f"np.ma.{name}", f"np.ma.{name}({left}, axis=0).shape"
            yield f"np.ma.{name}", f"np.ma.{name}({left}, 1).shape"
        for name in ["T", "data", "filled(0)", "copy()", "ravel()", "flatten()", "transpose()", "astype(int)", "reshape(-1)", "reshape(3, 2)", "reshape((6,))", "reshape(1, -1)", "transpose(1, 0)"]:
            yield "masked", f"({left}).{name}.shape"
        for name in ["ndim", "size", "data.dtype.name", "dtype.name", "compressed().ndim"]:
            yield "masked", f"({left}).{name}"
        yield "masked", f"len({left})"
        yield "masked", f"(-({left})).shape"


def records():
    """Arrays of records."""
    for made in RECORDS:
        for field in FIELDS:
            yield "records", f"r = {made}; r['{field}'].shape"
            yield "records", f"r = {made}; r['{field}'].dtype.name"
            yield "records", f"r = {made}; r[0]['{field}'].shape"
            yield "records", f"r = {made}; r[1:]['{field}'].shape"
            yield "records", f"r = {made}; r['{field}'][0].shape"
            yield "dtype", f"r = {made}; r.dtype['{field}'].name"
            for value in ["1", "np.ones(3)", "np.ones((4, 2, 3))", "np.ones((4, 2))", "[1, 2]"]:
                yield "records, stored", f"r = {made}; r['{field}'] = {value}; r.shape"
        for index in INDICES:
            yield "records.__getitem__", f"r = {made}; r[{index}].shape"
        for name in ["shape", "ndim", "size", "dtype.names", "dtype.itemsize", "copy().shape"]:
            yield "records", f"({made}).{name}"
        for position in ["0", "1", "-1", "5"]:
            yield "records", f"r = {made}; r[0][{position}].shape"
        yield "records", f"len({made})"
        yield "records", f"len(({made})[0])"
        yield "records", f"[row.shape for row in {made}]"
        yield "records", f"np.asarray({made}).shape"
    for values in ["[(1, 2.0), (3, 4.0)]", "[(1,), (2,)]", "[(1, 2, 3)]", "(1, 2.0)", "[1, 2]", "[[1, 2], [3, 4]]", "[]"]:
        yield "np.array of records", f"np.array({values}, dtype=[('a', 'i4'), ('b', 'f8')]).shape"
    for given in ["[('a', 'i4')]", "[('a', 'i4', 3), ('b', float)]", "'i4, f8'", "'i4,f8,u1'", "{'names': ['a'], 'formats': ['f8']}", "[('a', 'U5'), ('b', 'S3')]", "[('a', int), ('a', int)]", "'f8'", "[('a', [('b', 'f4')])]"]:
        yield "dtype", f"np.dtype({given}).names"
        yield "dtype", f"np.dtype({given}).itemsize"
        yield "dtype", f"len(np.dtype({given}))"
        yield "dtype", f"np.dtype({given}, align=True).itemsize"
