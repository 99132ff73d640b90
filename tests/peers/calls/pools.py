"""Expressions for arguments: drawn by the parameter's name where that tells what it takes, else from everything."""

INTS = ["0", "1", "2", "3", "4", "-1", "-2", "5", "True"]
FLOATS = ["0.5", "2.0", "-1.5", "1e3"]
STRINGS = ["'a'", "'abc'", "''", "'3'", "'a,b'", "'C'", "'mean'", "'sum'", "'%d'", "'xyz'"]
LISTS = ["[]", "[1, 2, 3]", "[1.5, 2.5]", "['b', 'a']", "[[1, 2], [3, 4]]", "[(1, 'a'), (2, 'b')]", "[True, False]", "[3]", "[0, 1]"]
TUPLES = ["()", "(1, 2)", "(3,)", "(2, 3)", "('a', 1)", "(1.0, 2.0, 3.0)", "(0, 1)", "(-1, 2)"]
OTHERS = ["None", "{}", "{'a': 1, 'b': 2}", "{1, 2}", "set()", "b'ab'", "range(3)", "range(2, 8, 2)", "1j", "iter([1, 2])", "slice(1, 3)", "..."]
FUNCTIONS = ["len", "str", "int", "abs", "lambda x: x", "lambda x, y: x + y", "sum", "max", "list", "lambda *a: a", "lambda: 1"]
TYPES = ["int", "float", "str", "list", "dict", "bool", "object", "tuple", "ValueError"]

NUMPY = [
    "np.arange(6)", "np.arange(6).reshape(2, 3)", "np.ones((3, 3))", "np.zeros((2, 3, 4))", "np.array(5)", "np.array([1.5, 2.5])", "np.eye(2)",
    "np.zeros(0)", "np.float64(2)", "np.int32(3)", "np.bool_(True)", "np.array([True, False, True])", "np.array([1 + 2j, 3])", "np.zeros((2, 0))",
    "np.arange(3.0)", "np.arange(12).reshape(3, 4)", "np.ones((1, 3))", "np.ones((2, 1))", "np.array([[1, 2], [3, 4]])", "np.array(['a', 'b'])",
    "np.array([1])", "np.zeros((0, 3))", "np.arange(4).reshape(2, 2, 1)", "np.arange(5)[::2]", "np.float32(1.5)",
]  # fmt: skip
NUMPY_DTYPES = ["int", "float", "bool", "complex", "np.float32", "np.int64", "'f4'", "'int8'", "np.dtype('f8')", "object", "None", "str"]
NUMPY_SHAPES = ["3", "(2, 3)", "()", "(0,)", "[2, 2]", "(1, 2, 3)", "np.int64(2)", "-1", "(-1, 2)", "(6,)"]
NUMPY_NAMES = {
    "axis": ["0", "1", "-1", "None", "(0, 1)", "()", "(0,)", "2", "np.int64(0)"], "dtype": NUMPY_DTYPES, "shape": NUMPY_SHAPES, "newshape": NUMPY_SHAPES,
    "out": ["None", "np.zeros(3)", "np.zeros((2, 3))", "np.zeros(())", "np.zeros((3, 3))", "np.zeros(6, int)", "np.empty((2, 3), bool)"],
    "where": ["True", "np.array([True, False, True])", "False"], "keepdims": ["True", "False"], "casting": ["'unsafe'", "'same_kind'", "'no'"],
    "order": ["'C'", "'F'", "'K'", "'A'", "None"], "mode": ["'clip'", "'wrap'", "'raise'", "'constant'", "'edge'", "'valid'", "'same'", "'full'"],
    "indices_or_sections": ["2", "3", "[1]", "(1, 2)", "np.array([1])", "[]"], "repeats": ["2", "[1, 2]", "np.array([1, 0, 2])", "0"], "k": ["0", "1", "-1"],
    "initial": ["0", "1.5"], "ddof": ["0", "1"], "size": NUMPY_SHAPES + ["None"], "copy": ["True", "False", "None"], "subok": ["True"], "ndmin": ["0", "2", "3"],
    "indices": ["0", "[0, 1]", "np.array([1, 0])", "(0,)", "[[0], [1]]", "-1"], "axes": ["(1, 0)", "None", "1", "([0], [0])", "[1, 0]"], "num": ["3", "5", "1", "0"],
}  # fmt: skip

TORCH = [
    "torch.arange(6)", "torch.arange(6.).reshape(2, 3)", "torch.ones(3, 3)", "torch.zeros(2, 3, 4)", "torch.tensor(5)", "torch.tensor([1.5, 2.5])",
    "torch.eye(2)", "torch.zeros(0)", "torch.tensor([True, False, True])", "torch.arange(3.)", "torch.ones(1, 3)", "torch.ones(2, 1)", "torch.tensor(2.5)",
    "torch.tensor([[1, 2], [3, 4]])", "torch.rand(2, 3, 8, 8)", "torch.rand(3, 8, 8)", "torch.zeros(2, 0)", "torch.tensor([0, 1])", "torch.rand(4, 4)",
    "torch.rand(2, 3)", "torch.ones(3, dtype=torch.float64)", "torch.ones(2, 3, dtype=torch.long)", "torch.rand(5, 3, 4)", "torch.tensor([1])",
]  # fmt: skip
TORCH_DTYPES = ["torch.float32", "torch.long", "torch.bool", "torch.float64", "None", "torch.int32"]
TORCH_NAMES = {
    "dim": ["0", "1", "-1", "(0, 1)", "2", "[0]", "None"], "dtype": TORCH_DTYPES, "size": ["(2, 3)", "3", "(6,)", "[2, 2]", "(-1, 2)", "()", "torch.Size([2, 2])"],
    "shape": ["(2, 3)", "(-1,)", "(6,)", "[3, 2]", "(-1, 2)"], "keepdim": ["True", "False"], "index": ["torch.tensor([0, 1])", "torch.tensor([[0, 1]])", "torch.tensor(0)"],
    "out": ["torch.empty(0)", "torch.zeros(3)", "torch.zeros(2, 3)", "torch.empty(0, dtype=torch.long)"], "reduction": ["'mean'", "'sum'", "'none'"],
    "kernel_size": ["1", "2", "3", "(2, 2)", "(3, 1)"], "stride": ["1", "2", "(1, 2)", "None"], "padding": ["0", "1", "(1, 0)", "'same'", "'valid'"],
    "in_channels": ["3"], "out_channels": ["4", "6"], "in_features": ["3", "4", "8"], "out_features": ["2", "5"], "num_features": ["3", "4"],
    "input_size": ["3", "4"], "hidden_size": ["5"], "normalized_shape": ["3", "(3,)", "(8, 8)", "4"], "num_groups": ["1", "3"], "num_channels": ["3"],
    "p": ["0.5", "0.0", "1", "2"], "bias": ["True", "False", "None"], "unbiased": ["True", "False"], "correction": ["0", "1"], "other": TORCH + ["2", "1.5"],
    "mat2": ["torch.ones(3, 3)", "torch.ones(3, 2)", "torch.rand(4, 4)"], "dims": ["(0, 1)", "[1]", "0", "(1, 0)", "2"], "chunks": ["2", "3"],
    "split_size_or_sections": ["1", "2", "[1, 1]", "[1, 2]"], "tensors": ["[torch.ones(2), torch.zeros(2)]", "(torch.ones(1, 3), torch.ones(2, 3))"],
    "target": ["torch.tensor([0, 1])", "torch.rand(2, 3)", "torch.tensor([1.5, 2.5])", "torch.zeros(2, 8, 8, dtype=torch.long)"], "names": ["('N', 'C')", "None"],
    "memory_format": ["torch.contiguous_format"], "device": ["'cpu'", "None"], "requires_grad": ["False", "True"], "high": ["5"], "low": ["0"], "batch_first": ["True", "False"],
}  # fmt: skip

PLAIN_NAMES = {"key": ["None", "len", "str", "abs", "lambda x: x"], "reverse": ["True", "False"], "default": ["None", "0", "'d'"], "sep": ["','", "None", "' '"]}


def plain(rng, depth=0):
    pool = rng.choice([INTS, INTS, FLOATS, STRINGS, STRINGS, LISTS, LISTS, TUPLES, OTHERS, FUNCTIONS, TYPES])
    return rng.choice(pool)


def argument(rng, name, library):
    """An expression for a parameter."""
    if library == "numpy":
        if name in NUMPY_NAMES and rng.random() < 0.85:
            return rng.choice(NUMPY_NAMES[name])
        return rng.choice(NUMPY) if rng.random() < 0.7 else plain(rng)
    if library == "torch":
        if name in TORCH_NAMES and rng.random() < 0.85:
            return rng.choice(TORCH_NAMES[name])
        if rng.random() < 0.7:
            return rng.choice(TORCH)
        return rng.choice(INTS) if rng.random() < 0.7 else plain(rng)
    if name in PLAIN_NAMES and rng.random() < 0.8:
        return rng.choice(PLAIN_NAMES[name])
    return plain(rng)
