"""Changing the shape of arrays: reshaping, moving axes, joining, splitting, repeating."""

from .shapes import ALL, FEW, axes, axis_tuples, ones, size

TARGETS = ["-1", "(-1,)", "6", "(6,)", "(2,3)", "(3,2)", "(1,6)", "(6,1)", "(-1,2)", "(2,-1)", "(-1,4)", "(3,-1,1)", "(-1,-1)", "()", "(1,)", "(0,-1)", "(2,2)", "(24,)", "(4,-1)", "(2,12)", "(0,)", "(-2,3)", "[2,3]"]


def rows():
    """Manipulation routines and their failures."""
    for shape in [(), (1,), (6,), (2, 3), (4,), (0,), (0, 3), (2, 3, 4), (2, 1, 3)]:
        for target in TARGETS:
            yield "np.reshape", f"np.reshape({ones(shape)}, {target})"
            yield "ndarray.reshape", f"{ones(shape)}.reshape({target})"
        for target in ["2, 3", "-1, 1", "1, -1", "3, -1", "2, 2", "6, 1", "-1, -1", "2, 3, -1", "2.0, 3", "order='F'"]:
            yield "ndarray.reshape", f"{ones(shape)}.reshape({target})"
        yield "ndarray.reshape", f"{ones(shape)}.reshape(-1, order='F')"
        yield "ndarray.resize", f"a = {ones(shape)}; a.resize((2, 3), refcheck=False); a"
        yield "ndarray.shape", f"a = {ones(shape)}; a.shape = (2, 3); a"
        yield "ndarray.shape", f"a = {ones(shape)}; a.shape = (-1,); a"
    for argument in ["[1, 2, 3, 4]", "[[1, 2], [3, 4]]", "5", "range(4)"]:
        for target in ["(2, 2)", "-1", "(4, 1)", "3"]:
            yield "np.reshape", f"np.reshape({argument}, {target})"
    for shape in ALL:
        array = ones(shape)
        for name in ["ravel", "flatten", "copy", "squeeze", "transpose", "tolist", "item", "nonzero", "diagonal", "trace", "conj", "round", "sort", "argsort", "fill", "view", "byteswap", "tobytes", "__len__"]:
            if name == "fill":
                yield "ndarray.fill", f"a = {array}; a.fill(3); a"
            elif name == "sort":
                yield "ndarray.sort", f"a = {array}; a.sort(); a"
            elif name == "tobytes":
                continue
            elif name == "tolist":
                yield "ndarray.tolist", f"len({array}.tolist())"
            elif name == "__len__":
                yield "len", f"len({array})"
            else:
                yield f"ndarray.{name}", f"{array}.{name}()"
        for name in ["T", "ndim", "size", "shape", "real", "imag", "nbytes", "itemsize", "mT"]:
            yield f"ndarray.{name}", f"{array}.{name}"
        for name in ["ravel", "squeeze", "transpose", "ndim", "size", "shape", "fliplr", "flipud", "flip", "rot90", "sort", "argsort", "nonzero", "flatnonzero", "argwhere", "diagonal", "trace", "atleast_1d", "atleast_2d", "atleast_3d", "unique", "diff", "ediff1d", "gradient", "matrix_transpose", "trim_zeros", "sort_complex"]:
            yield f"np.{name}", f"np.{name}({array})"
        for axis in axes(shape):
            yield "np.squeeze", f"np.squeeze({array}, axis={axis})"
            yield "ndarray.squeeze", f"{array}.squeeze({axis})"
            yield "np.expand_dims", f"np.expand_dims({array}, {axis})"
            yield "np.flip", f"np.flip({array}, {axis})"
            if len(shape) in {1, 2}:
                for name in ["sort", "argsort", "diff", "gradient"]:
                    yield f"np.{name}", f"np.{name}({array}, axis={axis})"
                yield "np.unique", f"np.unique({array}, axis={axis})"
                yield "ndarray.sort", f"a = {array}; a.sort(axis={axis}); a"
                yield "ndarray.argsort", f"{array}.argsort(axis={axis})"
                yield "np.repeat", f"np.repeat({array}, 2, axis={axis})"
                yield "np.roll", f"np.roll({array}, 1, axis={axis})"
                yield "np.delete", f"np.delete({array}, 0, axis={axis})"
                yield "np.append", f"np.append({array}, {array}, axis={axis})"
                yield "np.insert", f"np.insert({array}, 0, 1, axis={axis})"
                yield "np.rollaxis", f"np.rollaxis({array}, {axis})"
                yield "np.apply_along_axis", f"np.apply_along_axis(np.sum, {axis}, {array})"
        for order in ["(1, 0)", "(0, 1)", "(0, 2, 1)", "(2, 0, 1)", "(0,)", "(0, 0)", "(1, 2)", "(-1, 0)", "None"]:
            if len(shape) in {1, 2, 3}:
                yield "np.transpose", f"np.transpose({array}, {order})"
                yield "ndarray.transpose", f"{array}.transpose({order})"
        yield "np.expand_dims", f"np.expand_dims({array}, (0, 1))"
        yield "np.expand_dims", f"np.expand_dims({array}, (0, 0))"
        yield "np.squeeze", f"np.squeeze({array}, (0, 1))"
        for pair in ["0, 1", "1, 0", "0, -1", "0, 2", "-1, -2", "1, 1"]:
            yield "np.swapaxes", f"np.swapaxes({array}, {pair})"
            yield "ndarray.swapaxes", f"{array}.swapaxes({pair})"
            yield "np.moveaxis", f"np.moveaxis({array}, {pair})"
    for args in ["[0, 1], [1, 0]", "(0, 1), (-1, -2)", "[0, 1], [0]", "[0, 0], [0, 1]", "0, 3", "[0, 3], [1, 2]", "-3, 0"]:
        yield "np.moveaxis", f"np.moveaxis(np.ones((2, 3, 4)), {args})"
    for args in ["2", "2, 1", "1, 2", "-1", "3, 0", "0, 4"]:
        yield "np.rollaxis", f"np.rollaxis(np.ones((2, 3, 4)), {args})"
    pieces = [(), (0,), (1,), (3,), (4,), (2, 3), (4, 3), (2, 2), (1, 3), (2, 3, 4), (2, 5, 4)]
    for a in pieces:
        for b in pieces:
            pair = f"{ones(a)}, {ones(b)}"
            for name in ["concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "block", "row_stack"]:
                if name != "row_stack":
                    yield f"np.{name}", f"np.{name}([{pair}])"
            if len(a) in {1, 2, 3} and len(b) in {1, 2}:
                for axis in ["0", "1", "-1", "2", "None", "-3"]:
                    yield "np.concatenate", f"np.concatenate(({pair}), axis={axis})"
                    yield "np.stack", f"np.stack(({pair}), axis={axis})"
            if len(a) < 3 and len(b) < 3:
                yield "np.append", f"np.append({pair})"
                yield "np.append", f"np.append({pair}, axis=0)"
                yield "np.r_", f"np.r_[{pair}]"
                yield "np.c_", f"np.c_[{pair}]"
    for name in ["concatenate", "stack", "vstack", "hstack", "dstack", "column_stack"]:
        for argument in ["[]", "np.ones((2, 3, 4))", "[[1, 2], [3, 4]]", "[[1, 2], [3]]", "5", "[np.ones(3)]", "[np.ones((2, 3))] * 3", "([1, 2], np.ones(2))", "[np.ones(2, dtype=int), np.ones(2)]", "[np.ones(2, dtype=bool), [1, 2]]", "np.ones(3)", "np.ones((2, 3))"]:
            yield f"np.{name}", f"np.{name}({argument})"
    for args in ["0:5", "1, 2, 3", "0:4, 7", "np.ones(3), 0, np.ones(2)", "0:1:5j", "[1, 2], [3]", "np.ones((2, 2)), np.ones((1, 2))", "np.ones((2, 2)), np.ones(2)", "'0,2', [1, 2], [3, 4]", "-1:1:0.5"]:
        yield "np.r_", f"np.r_[{args}]"
        yield "np.c_", f"np.c_[{args}]"
    for args in ["[[np.ones((2, 2)), np.ones((2, 1))], [np.ones((1, 2)), np.ones((1, 1))]]", "[[np.eye(2), np.zeros((2, 3))]]", "[1, 2, 3]", "[[1, 2], [3, 4]]", "[[np.eye(2), np.zeros((3, 3))]]", "[np.ones(3), np.ones(2)]", "[[np.ones(2)], [np.ones(3)]]"]:
        yield "np.block", f"np.block({args})"
    for name in ["split", "array_split", "vsplit", "hsplit", "dsplit"]:
        for shape in [(6,), (4, 6), (2, 3, 4), (), (0, 2)]:
            for sections in ["2", "3", "4", "1", "0", "[1, 2]", "[2, 5]", "(1,)", "[]", "-1", "2.0", "[7]"]:
                if shape or sections in {"2", "[1, 2]"}:
                    yield f"np.{name}", f"np.{name}({ones(shape)}, {sections})"
            if name in {"split", "array_split"}:
                for axis in ["0", "1", "-1", "2", "3"]:
                    yield f"np.{name}", f"np.{name}({ones(shape)}, 2, axis={axis})"
                    yield f"np.{name}", f"np.{name}({ones(shape)}, [1], {axis})"
    for shape in ALL:
        for reps in ["2", "(2,)", "(2, 1)", "(1, 2, 3)", "0", "(2, 0)", "()"]:
            yield "np.tile", f"np.tile({ones(shape)}, {reps})"
        for reps in ["2", "0", "[2]", "-1"]:
            yield "np.repeat", f"np.repeat({ones(shape)}, {reps})"
            yield "ndarray.repeat", f"{ones(shape)}.repeat({reps})"
    for args in ["[1, 2], axis=0", "[1, 2, 3], axis=1", "[1, 2], axis=1", "[1, 2, 3], axis=0", "3, 1", "2, axis=2", "[2], axis=1", "[1, 0, 2, 1, 1, 1]"]:
        yield "np.repeat", f"np.repeat(np.ones((2, 3)), {args})"
        yield "ndarray.repeat", f"np.ones((2, 3)).repeat({args})"
    for argument in ["[1, 2]", "[[1, 2], [3, 4]]", "3"]:
        yield "np.tile", f"np.tile({argument}, 2)"
        yield "np.tile", f"np.tile({argument}, (2, 2))"
        yield "np.repeat", f"np.repeat({argument}, 3)"
    for shape in [(), (3,), (2, 3), (0, 2), (2, 3, 4)]:
        for width in ["1", "(1, 2)", "((1, 2),)", "((1, 2), (3, 4))", "((0, 0), (1, 1), (2, 2))", "-1", "[(1, 1), (0, 2)]", "0", "(1,)", "((1,), (2,))", "2.5", "[1, 2, 3]"]:
            yield "np.pad", f"np.pad({ones(shape)}, {width})"
        for mode in ["constant", "edge", "reflect", "wrap", "symmetric", "mean", "maximum", "linear_ramp"]:
            yield "np.pad", f"np.pad({ones(shape)}, 1, mode='{mode}')"
    yield "np.pad", "np.pad(np.ones((2, 3)), 1, 'constant', constant_values=7)"
    yield "np.pad", "np.pad(np.ones((2, 3)), 1, mode='nonsense')"
    for args in ["1", "-1", "1, 0", "1, 1", "1, axis=-1", "(1, 2), axis=(0, 1)", "1, 2", "(1, 1)"]:
        yield "np.roll", f"np.roll(np.ones((2, 3)), {args})"
    for args in ["np.ones((2, 3)), k=2", "np.ones((2, 3)), axes=(1, 0)", "np.ones((2, 3, 4)), 1, (1, 2)", "np.ones((2, 3)), axes=(0, 0)", "np.ones(3), 1"]:
        yield "np.rot90", f"np.rot90({args})"
    for args in ["0", "1", "-1", "5", "[0, 1]", "[0, 9]", "slice(0, 2)", "[]", "[True, False, True, False, False, False]"]:
        yield "np.delete", f"np.delete(np.arange(6), {args})"
        yield "np.delete", f"np.delete(np.ones((2, 3)), {args}, axis=1)"
    for args in ["0, 5", "6, 1", "7, 1", "[0, 1], 5", "[0, 1], [5, 6]", "[0, 1], [5, 6, 7]", "-1, 9"]:
        yield "np.insert", f"np.insert(np.arange(6), {args})"
    for args in ["1, 5, axis=0", "1, [1, 2, 3], axis=0", "1, [1, 2], axis=0", "1, [1, 2], axis=1", "4, 0, axis=1"]:
        yield "np.insert", f"np.insert(np.ones((2, 3)), {args})"
    for shape in FEW:
        for target in ["(2, 3)", "6", "(4,)", "(0,)", "()", "-1"]:
            yield "np.resize", f"np.resize({ones(shape)}, {target})"
    for name in ["diff"]:
        for args in ["np.ones(5), 2", "np.ones(5), n=0", "np.ones((2, 3)), n=5", "np.ones(3), -1", "np.ones((2, 3)), axis=0", "[1, 2, 4]", "np.ones(3), prepend=0", "np.ones(3), append=[1, 2]", "np.ones(3, dtype=bool)"]:
            yield f"np.{name}", f"np.{name}({args})"
    for args in ["np.ones(5), 0.5", "np.ones((3, 4)), axis=1", "np.ones((3, 4)), 1.0, 2.0", "np.ones((3, 4)), np.arange(3), np.arange(4)", "np.ones((3, 4)), np.arange(4), axis=0", "np.ones(1)", "np.ones(4), np.arange(3)", "np.ones((3, 4)), axis=(0, 1)", "np.ones(4, dtype=int)"]:
        yield "np.gradient", f"np.gradient({args})"
    for shape in [(4,), (2, 3), (3, 3), (2, 3, 4)]:
        for args in ["offset=1", "0, 0, 1", "axis1=1, axis2=0", "0, 1, 1", "0, 0, 5", "offset=-5"]:
            yield "np.diagonal", f"np.diagonal({ones(shape)}, {args})"
            yield "np.trace", f"np.trace({ones(shape)}, {args})"
    for shape in ALL:
        for dtype in ["int", "float", "bool", "'float32'", "np.uint8", "complex"]:
            yield "ndarray.astype", f"{ones(shape)}.astype({dtype})"
    for args in ["float, copy=False", "dtype=int", "'nonsense'", "np.ones(3).dtype"]:
        yield "ndarray.astype", f"np.ones((2, 3)).astype({args})"
    for shape in FEW:
        array = ones(shape)
        yield "ndarray.flat", f"len({array}.flat)"
        yield "float", f"float({array})"
        yield "int", f"int({array})"
        yield "bool", f"bool({array})"
        yield "list", f"len(list({array}))"
        yield "iteration", f"[v for v in {array}][0]"
        yield "unpacking", f"p, q = {array}; p"
        yield "unpacking", f"p, q, r = {array}; q"
        yield "unpacking", f"p, *q = {array}; p"
        yield "unpacking", f"p, q = {array}.shape; q"
        yield "np.size", f"np.size({array}, 0)"
        yield "np.size", f"np.size({array}, 1)"
        yield "np.ndim", f"np.ndim({array})"
        yield "np.astype", f"np.astype({array}, int)"
        yield "ndarray.shape", f"{array}.shape[0]"
        yield "ndarray.shape", f"{array}.shape[1]"
        yield "ndarray.shape", f"{array}.shape[-1]"
        yield "np.copyto", f"a = {array}; np.copyto(a, np.ones(3)); a"
        yield "np.copyto", f"a = {array}; np.copyto(a, 5); a"
        yield "np.fill_diagonal", f"a = {array}; np.fill_diagonal(a, 5); a"
        yield "in", f"1 in {array}"
        yield "np.iterable", f"np.iterable({array})"
        yield "np.isscalar", f"np.isscalar({array})"
        yield "np.shares_memory", f"np.shares_memory({array}, {array})"
        yield "np.may_share_memory", f"np.may_share_memory({array}, {array})"
        yield "sum", f"sum({array})"
        yield "max", f"max({array})"
    for args in ["(2, 3)", "[1, 2, 3]", "5", "[[1], [2]]", "'abc'"]:
        yield "np.shape", f"np.shape({args})"
        yield "np.ndim", f"np.ndim({args})"
        yield "np.size", f"np.size({args})"
    for args in ["3, (2, 3)", "7, (2, 3)", "np.array([0, 5]), (2, 3)", "-1, (2, 3)", "[1, 2], (4,)"]:
        yield "np.unravel_index", f"np.unravel_index({args})"
    for args in ["(0, 1), (2, 3)", "(2, 1), (2, 3)", "([0, 1], [1, 2]), (2, 3)", "(0, 1, 1), (2, 3)", "[[0, 1], [1, 2]], (2, 3)"]:
        yield "np.ravel_multi_index", f"np.ravel_multi_index({args})"
    for target in [(2, 3), (3,), (6,), (2, 2)]:
        for shape in [(2, 3), (6,), (3, 2), ()]:
            if size(shape):
                yield "np.put", f"a = {ones(target)}; np.put(a, [0, 1], {ones(shape)}); a"
                yield "np.place", f"a = {ones(target)}; np.place(a, a > 0, {ones(shape)}.ravel()); a"
                yield "np.putmask", f"a = {ones(target)}; np.putmask(a, a > 0, {ones(shape)}); a"
    for window in ["2", "(2, 2)", "(3, 3)", "4", "(2,)"]:
        yield "np.lib.stride_tricks.sliding_window_view", f"np.lib.stride_tricks.sliding_window_view(np.ones((3, 4)), {window})"
        yield "np.lib.stride_tricks.sliding_window_view", f"np.lib.stride_tricks.sliding_window_view(np.ones(3), {window})"
        yield "np.lib.stride_tricks.sliding_window_view", f"np.lib.stride_tricks.sliding_window_view(np.ones((3, 4)), {window}, axis=0)"
    for shape in [(2, 3), (2, 3, 4)]:
        for axis in axis_tuples(shape):
            yield "np.flip", f"np.flip({ones(shape)}, {axis})"
            yield "np.apply_over_axes", f"np.apply_over_axes(np.sum, {ones(shape)}, {axis})"
