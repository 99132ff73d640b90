"""Reading and writing through every kind of index, and functions that select."""

from .shapes import FEW, ones

BASIC = ["0", "1", "2", "-1", "-2", "-4", "5", ":", "1:", ":2", "::2", "1:2", "-1:", "::-1", "5:", "2:1", "1:100", "-100:2", "None", "...", "()", "True", "False"]
PAIRS = [
    "0, 1", "1, 2", "2, 0", "0, 3", ":, 0", ":, 2", ":, 3", "0, :", "2, :", "1:, 0", ":, None", "None, :", "..., 0", "0, ...", "..., None", "None, 0", ":, ::2", "::-1, 1:",
    ":, :", "None, None", "..., -1", ":, -4", "0, None, 1", "1.0, 0", "..., ...", "0, ..., 0", ":, :, 0", "0, 0, 0", ":, :, :", "0, 0, 0, 0", ":, 1, 2", "1, ..., 3", "None, ..., None",
    "0, :, 1:3", ":, 1:, ::2", "1, 2, 3", "1, 2, 4",
]
FANCY = [
    "[0, 1]", "[0, -1, 1]", "[0, 5]", "[]", "[[0, 1], [1, 0]]", "np.array([0, 1])", "np.array([1, 1, 0, 0])", "np.array([-3])", "np.array([[0], [1]])", "np.arange(3)", "np.zeros(2)",
    "np.zeros(0)", "[0.5]", "np.array([], dtype=int)", "[True, False]", "[True, False, True]", "np.array([True, False])", "np.array([True, False, True, True])", "np.ones(3, dtype=bool)",
    "np.ones((2, 3), dtype=bool)", "np.ones((3, 2), dtype=bool)", "np.zeros((2, 3), dtype=bool)", "np.ones((2, 3, 4), dtype=bool)", "np.ones((), dtype=bool)", "np.array(1)", "np.int64(1)",
    "'a'", "1.5", "np.float64(1)", "[0], [1]", "[0, 1], [1, 2]", "[0, 1], [0, 1, 2]", "[[0], [1]], [0, 1, 2]", "[0, 1], :", ":, [0, 1]", ":, [0, 3]", "[0, 1], 1", "0, [1, 2]", "[0, 1], None",
    "None, [0, 1]", "..., [0, 1]", "[0, 1], ...", ":, np.array([True, False, True])", "np.array([True, False]), 0", "np.array([True, False]), [0]", "[0, 1], :, [0, 1]", "0, :, [1, 2]",
    ":, 0, [1, 2]", ":, [0, 1], [1, 2]", "[0, 1], [0, 1], [2, 3]", ":, [[0, 1]], 1:", "np.ix_([0, 1], [0, 2])", "np.ix_([0, 3], [0, 2])", "np.newaxis, [0, 1], :", "slice(None), 1", "slice(0, 1)",
    "(0, 1)", "[0, 1], [True, False, True]", "np.array([0, 1]), np.array([[0], [1], [2]])", "None, 1, [0]", "[1], None, [0]",
]
VALUES = ["5", "2.5", "[1, 2]", "[1, 2, 3]", "np.ones(2)", "np.ones(3)", "np.ones(4)", "np.ones((2, 3))", "np.ones((2, 1))", "np.ones((3, 1))", "np.ones((1, 3))", "np.ones((2, 2))", "[[1], [2]]", "np.ones((1, 1, 3))", "np.ones((2, 2, 3))", "np.ones(0)", "[[1, 2], [3]]"]
STORES = ["0", "-1", "5", ":", "1:", "::2", "0, 0", ":, 0", ":, 1:", "0, :2", "None", "...", "[0, 1]", "[0, 4]", ":, [0, 2]", "[0, 1], [1, 2]", "a > 0", "a[:, 0] > 0", "[True, False]", "np.ones(3, dtype=bool)", "0, 0, 0", "0, None", "()", "0, ..."]


def rows():
    """Indexing rows."""
    for shape in [(), (0,), (1,), (3,), (2, 3), (3, 3), (0, 3), (2, 3, 4)]:
        for index in [*BASIC, *PAIRS, *FANCY]:
            if len(shape) in {1, 2, 3} or index in BASIC:
                yield "subscript", f"{ones(shape)}[{index}]"
    for shape in [(2, 3, 4, 5)]:
        for index in [*PAIRS, *FANCY]:
            yield "subscript", f"{ones(shape)}[{index}]"
    for shape in [(), (3,), (2, 3)]:
        for index in STORES:
            for value in VALUES:
                if shape or index in {"0", "...", "()", "None"}:
                    yield "subscript store", f"a = {ones(shape)}; a[{index}] = {value}; a"
    for index in ["0", ":, 0", "0, :, 1", "..., 0", ":, [0, 1]", "0, [0, 1]", "[0, 1], :, 0"]:
        for value in ["1", "np.ones(4)", "np.ones(3)", "np.ones((3, 4))", "np.ones((2, 4))", "np.ones((2, 2, 4))", "np.ones((2, 3))"]:
            yield "subscript store", f"a = np.zeros((2, 3, 4)); a[{index}] = {value}; a"
    for operator in ["+=", "*="]:
        for index in ["0", ":, 0", "5", "[0, 1]", "a > 0", "1:", ":, :2", "0, 0"]:
            for value in ["1", "np.ones(3)", "np.ones(2)", "np.ones((2, 3))", "np.ones((2, 1))"]:
                yield "subscript augmented store", f"a = np.ones((2, 3)); a[{index}] {operator} {value}; a"
    for name in ["take"]:
        for shape in [(3,), (2, 3), (2, 3, 4), (0,)]:
            for indices in ["0", "[0, 1]", "[[0, 1], [1, 0]]", "[0, 9]", "-1", "[]", "1.0"]:
                for axis in ["", ", axis=0", ", axis=1", ", axis=-1", ", axis=3"]:
                    yield "np.take", f"np.take({ones(shape)}, {indices}{axis})"
                    if axis != ", axis=1":
                        yield "ndarray.take", f"{ones(shape)}.take({indices}{axis})"
        yield "np.take", "np.take([1, 2, 3], [0, 5], mode='wrap')"
        yield "np.take", "np.take([1, 2, 3], [0, 5], mode='clip')"
    for args in ["np.ones((2, 3)), np.zeros((2, 1), dtype=int), axis=1", "np.ones((2, 3)), np.zeros((2, 3), dtype=int), 0", "np.ones((2, 3)), np.zeros(2, dtype=int), axis=1", "np.ones((2, 3)), np.zeros((3, 1), dtype=int), axis=1", "np.ones(3), [0, 1], axis=0", "np.ones(3), np.array([0, 1]), axis=0"]:
        yield "np.take_along_axis", f"np.take_along_axis({args})"
    shapes = ["np.ones(3)", "np.ones((2, 3))", "np.ones((3, 1))", "5", "[1, 2, 3]", "np.ones(2)", "0.0"]
    for condition in ["np.ones(3, dtype=bool)", "np.ones((2, 3)) > 0", "True", "[True, False, True]", "np.ones((2, 1))"]:
        for a in shapes:
            for b in ["np.ones(3)", "np.ones((2, 3))", "0", "np.ones((4, 1))", "[1, 2]"]:
                yield "np.where", f"np.where({condition}, {a}, {b})"
        yield "np.where", f"np.where({condition})"
        yield "np.where", f"np.where({condition}, 1)"
    for args in ["[1, 2, 3]", "np.ones(0)", "np.ones((2, 3)), return_index=True", "np.ones(3), return_counts=True", "[3, 1, 3], return_inverse=True", "np.ones(3), True, True, True", "[[1, 2], [1, 2]], axis=0"]:
        yield "np.unique", f"np.unique({args})"
    for args in ["[1, 2, 3], 2", "np.arange(5), [1, 2]", "np.arange(5), np.ones((2, 3))", "[1, 2], 1, side='right'", "np.ones((2, 2)), 1", "np.arange(5), 2.5, 'left'", "np.arange(3), [[1], [2]]"]:
        yield "np.searchsorted", f"np.searchsorted({args})"
    for args in ["np.ones(5), [0, 1, 2]", "np.ones((2, 3)), [0, 2]", "1.5, [0, 1]", "[0.5, 1.5], bins=[0, 1], right=True"]:
        yield "np.digitize", f"np.digitize({args})"
    for args in ["np.ones(5)", "np.ones(5), 4", "np.ones(5), bins=[0, 1, 2]", "np.ones((2, 3)), 3", "np.ones(5), 0", "np.ones(5), 2.5", "np.ones(5), bins='auto'", "np.ones(5), 4, (0, 1)", "np.ones(5), 4, weights=np.ones(5)", "np.ones(5), 4, weights=np.ones(4)", "[], 3", "np.ones(5), 3, density=True", "np.ones(3), np.ones((2, 2))"]:
        yield "np.histogram", f"np.histogram({args})"
    for args in ["np.ones(5)", "np.ones(5), 4", "np.ones(5), bins=[0, 1, 2]"]:
        yield "np.histogram_bin_edges", f"np.histogram_bin_edges({args})"
    for args in ["np.ones(5), np.ones(5)", "np.ones(5), np.ones(5), 4", "np.ones(5), np.ones(5), bins=[3, 4]", "np.ones(5), np.ones(4)"]:
        yield "np.histogram2d", f"np.histogram2d({args})"
    for args in ["np.ones((5, 3))", "np.ones((5, 3)), bins=(2, 3, 4)", "np.ones((5, 2)), bins=(2, 3, 4)"]:
        yield "np.histogramdd", f"np.histogramdd({args})"
    for args in ["[0, 1, 1, 3]", "[0, 1], minlength=5", "np.ones((2, 2), dtype=int)", "np.ones(3)", "[0, 1, 1], weights=[1, 2, 3]", "[0, 1, 1], weights=[1, 2]", "[-1, 2]", "[]", "np.array([], dtype=int), minlength=3"]:
        yield "np.bincount", f"np.bincount({args})"
    for name in ["intersect1d", "union1d", "setdiff1d", "setxor1d", "isin", "in1d"]:
        if name != "in1d":
            for args in ["[1, 2, 3], [2, 3]", "np.ones((2, 3)), [1]", "[], [1]", "5, [5, 6]"]:
                yield f"np.{name}", f"np.{name}({args})"
    for args in ["[True, False, True], np.arange(3)", "[True, False], np.ones((2, 3)), axis=0", "[True], np.ones(3)", "[[True]], np.ones(3)", "[0, 1], np.ones((2, 3)), 1"]:
        yield "np.compress", f"np.compress({args})"
    for args in ["np.ones(3) > 0, np.arange(3)", "[[True, False]], [[1, 2]]"]:
        yield "np.extract", f"np.extract({args})"
    for args in ["[0, 1], [[1, 2], [3, 4]]", "0, [[1, 2], [3, 4]]", "[0, 2], [[1, 2], [3, 4]]", "[0, 1, 0], [[1, 2], [3, 4]]", "np.array([0, 1]), [10, 20]"]:
        yield "np.choose", f"np.choose({args})"
    for args in ["[np.ones(3) > 0], [np.ones(3)]", "[np.ones(3) > 0, np.ones(3) > 1], [1, 2]", "[np.ones(3) > 0], [1, 2]", "[np.ones(3) > 0], [np.ones((2, 3))], default=5"]:
        yield "np.select", f"np.select({args})"
    for args in ["np.ones(3), [True, False, True], [1, 2]", "np.ones(3), [np.ones(3) > 0], [1.0]", "np.ones(3), [np.ones(3) > 0], [1.0, 2.0, 3.0]"]:
        yield "np.piecewise", f"np.piecewise({args})"
    for name in ["partition", "argpartition"]:
        for args in ["1", "-1", "5", "[0, 1]", "1, axis=0", "1, axis=2"]:
            yield f"np.{name}", f"np.{name}(np.ones((2, 3)), {args})"
            yield f"np.{name}", f"np.{name}([3, 1, 2], {args})"
    for args in ["(np.ones(3), np.ones(3))", "np.ones((2, 4))", "(np.ones(3), np.ones(4))", "(np.ones((2, 3)), np.ones((2, 3))), axis=0"]:
        yield "np.lexsort", f"np.lexsort({args})"
    for shape in FEW:
        for dtype in ["bool", "int"]:
            yield "np.nonzero", f"np.nonzero({ones(shape, dtype)})"
            yield "np.argwhere", f"np.argwhere({ones(shape, dtype)})"
    for args in ["0", "1", "5", "-1", "0, 1", "(0, 1)", "(0, 5)", "0, 0, 0", "6"]:
        yield "ndarray.item", f"np.ones((2, 3)).item({args})"
    for args in ["list(np.ones(3))", "sorted(np.ones(3))", "enumerate(np.ones((2, 3)))", "zip(np.ones(3), np.ones(4))", "reversed(np.ones(3))"]:
        yield "iteration", f"len(list({args}))"
    for args in ["np.ones((2, 3))", "np.ones(4)", "[[1, 2]]"]:
        yield "np.ndenumerate", f"len(list(np.ndenumerate({args})))"
        yield "np.ndindex", f"len(list(np.ndindex({args[8:-1] if args.startswith('np') else '2, 2'})))"
