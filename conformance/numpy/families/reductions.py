"""Reductions and accumulations along axes."""

from .shapes import ALL, FEW, axes, axis_tuples, ones

WHOLE = ["sum", "prod", "mean", "std", "var", "max", "min", "any", "all", "ptp"]
ALIASES = ["amax", "amin", "nansum", "nanprod", "nanmean", "nanstd", "nanvar", "nanmax", "nanmin", "median", "nanmedian", "count_nonzero"]
ARG = ["argmax", "argmin", "nanargmax", "nanargmin"]
SCAN = ["cumsum", "cumprod", "nancumsum", "nancumprod"]
METHODS = ["sum", "prod", "mean", "std", "var", "max", "min", "any", "all"]


def rows():
    """Reductions as functions and as methods."""
    for index, name in enumerate([*WHOLE, *ALIASES]):
        for shape in ALL:
            array = ones(shape)
            yield f"np.{name}", f"np.{name}({array})"
            if len(shape) in {1, 2, 3} and (0 not in shape or index % 3 == 0):
                for axis in axes(shape):
                    yield f"np.{name}", f"np.{name}({array}, axis={axis})"
        for shape in [(2, 3), (2, 3, 4)]:
            for axis in axis_tuples(shape):
                yield f"np.{name}", f"np.{name}({ones(shape)}, axis={axis})"
            yield f"np.{name}", f"np.{name}({ones(shape)}, axis=1, keepdims=True)"
            yield f"np.{name}", f"np.{name}({ones(shape)}, axis=(0, 1), keepdims=True)"
            yield f"np.{name}", f"np.{name}({ones(shape)}, keepdims=True)"
            yield f"np.{name}", f"np.{name}({ones(shape)}, axis=None)"
        for dtype in ["bool", "int8", "int64", "uint8", "float32", "complex128"]:
            if dtype != "bool" or name not in {"ptp"}:
                yield f"np.{name}", f"np.{name}({ones((2, 3), dtype)}, axis=0)"
        for argument in ["[1, 2, 3]", "[[1.5, 2], [3, 4]]", "5", "[[1, 2], [3]]", "(1, 2)", "[True, False]"]:
            yield f"np.{name}", f"np.{name}({argument})"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), 1)"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), axis=1.0)"
    for name in METHODS:
        for shape in FEW:
            for axis in axes(shape):
                yield f"ndarray.{name}", f"{ones(shape)}.{name}(axis={axis})"
            yield f"ndarray.{name}", f"{ones(shape)}.{name}()"
            yield f"ndarray.{name}", f"{ones(shape)}.{name}(keepdims=True)"
        for call in ["0", "1, keepdims=True", "axis=(0, 1)", "-1", "axis=(0, 0)", "axis=()", "axis=-2, keepdims=True"]:
            yield f"ndarray.{name}", f"np.ones((2, 3)).{name}({call})"
        yield f"ndarray.{name}", f"np.ones((2, 3)).{name}(axis=1, out=np.ones(2))"
        yield f"ndarray.{name}", f"np.ones((2, 3)).{name}(axis=1, out=np.ones(3))"
    for name in ["sum", "prod", "mean"]:
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), dtype=int)"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3), dtype=int), axis=0, dtype='float32')"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), axis=0, where=np.ones((2, 3), dtype=bool))"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), axis=0, where=np.ones(2, dtype=bool))"
    for name in ["std", "var"]:
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), axis=0, ddof=1)"
        yield f"ndarray.{name}", f"np.ones((2, 3)).{name}(ddof=1, axis=1)"
    for name in ARG:
        for shape in ALL:
            yield f"np.{name}", f"np.{name}({ones(shape)})"
        for shape in [(3,), (2, 3), (2, 3, 4), (0, 3), (2, 0)]:
            for axis in axes(shape):
                yield f"np.{name}", f"np.{name}({ones(shape)}, axis={axis})"
                if not name.startswith("nan"):
                    yield f"ndarray.{name}", f"{ones(shape)}.{name}({axis})"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), axis=1, keepdims=True)"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), keepdims=True)"
        yield f"np.{name}", f"np.{name}([1, 3, 2])"
        yield f"np.{name}", f"np.{name}([])"
        yield f"np.{name}", f"np.{name}(np.ones((2, 3)), axis=(0, 1))"
    for name in SCAN:
        for shape in ALL:
            yield f"np.{name}", f"np.{name}({ones(shape)})"
        for shape in [(3,), (2, 3), (2, 3, 4), (2, 0)]:
            for axis in axes(shape):
                yield f"np.{name}", f"np.{name}({ones(shape)}, axis={axis})"
                if not name.startswith("nan"):
                    yield f"ndarray.{name}", f"{ones(shape)}.{name}({axis})"
        for dtype in ["bool", "int8", "float32", "uint8"]:
            yield f"np.{name}", f"np.{name}({ones((2, 3), dtype)}, axis=0)"
        yield f"np.{name}", f"np.{name}([1, 2, 3])"
    for name in ["percentile", "quantile", "nanpercentile", "nanquantile"]:
        scale = 100 if "per" in name else 1
        for q in [f"{scale} * 0.5", f"[0, {scale}]", "[[0, 1]]", "[]", "np.zeros((2, 2))", f"{scale} + 1"]:
            for shape in [(3,), (2, 3), (2, 3, 4)]:
                for extra in ["", ", axis=0", ", axis=-1", ", axis=3", ", axis=0, keepdims=True", ", axis=(0, 1)"]:
                    yield f"np.{name}", f"np.{name}({ones(shape)}, {q}{extra})"
    for shape in ALL:
        yield "np.average", f"np.average({ones(shape)})"
    for args in [
        "axis=0", "axis=1", "axis=2", "weights=np.ones((2, 3))", "weights=np.ones(3)", "axis=1, weights=np.ones(3)", "axis=0, weights=np.ones(3)",
        "axis=0, weights=[1, 2]", "axis=1, keepdims=True", "axis=0, weights=np.ones(2), returned=True", "axis=(0, 1)", "weights=[[1, 2, 3]]",
    ]:
        yield "np.average", f"np.average(np.ones((2, 3)), {args})"
    for name in ["cov", "corrcoef"]:
        for shape in [(), (3,), (2, 3), (3, 1), (2, 3, 4), (0, 3)]:
            yield f"np.{name}", f"np.{name}({ones(shape)})"
            yield f"np.{name}", f"np.{name}({ones(shape)}, rowvar=False)"
        for args in ["np.ones(3), np.ones(3)", "np.ones(3), np.ones(4)", "np.ones((2, 3)), np.ones((4, 3))", "np.ones((2, 3)), np.ones(3)", "[[1, 2], [3, 4]]", "np.ones((3, 2)), np.ones((3, 4)), rowvar=False"]:
            yield f"np.{name}", f"np.{name}({args})"
