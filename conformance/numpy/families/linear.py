"""Products, linear algebra, einsum, polynomials, convolution and Fourier transforms."""

from .shapes import ALL, ones

SIDES = [(), (0,), (1,), (3,), (4,), (2, 3), (3, 2), (3, 3), (3, 1), (1, 3), (0, 3), (3, 0), (2, 3, 4), (2, 4, 3), (1, 3, 3), (5, 4, 3), (2, 1, 3, 2)]
SQUARES = [(), (3,), (1, 1), (2, 2), (3, 3), (0, 0), (2, 3), (3, 2), (4, 3, 3), (2, 3, 4), (0, 2, 2)]
EINSUM = [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk->ik", [(2, 3), (4, 5)]), ("ij,jk", [(2, 3), (3, 4)]), ("ii", [(3, 3)]), ("ii->i", [(3, 3)]), ("ii", [(2, 3)]), ("ij->ji", [(2, 3)]),
    ("ij->", [(2, 3)]), ("ij->i", [(2, 3)]), ("i,i->", [(3,), (3,)]), ("i,i", [(3,), (4,)]), ("i,j->ij", [(3,), (4,)]), ("bij,bjk->bik", [(5, 2, 3), (5, 3, 4)]),
    ("bij,bjk->bik", [(5, 2, 3), (4, 3, 4)]), ("bij,bjk->bik", [(5, 2, 3), (1, 3, 4)]), ("...ij,...jk->...ik", [(5, 2, 3), (3, 4)]), ("...ij->...ji", [(5, 2, 3)]), ("ij,j->i", [(2, 3), (3,)]),
    ("ij,j->i", [(2, 3), (2,)]), ("ijk->kji", [(2, 3, 4)]), ("ijk,k->ij", [(2, 3, 4), (4,)]), ("ij,kj->ik", [(2, 3), (4, 3)]), ("ij,ij->", [(2, 3), (2, 3)]), ("ij,ij->ij", [(2, 3), (2, 4)]),
    ("ijk", [(2, 3)]), ("ij", [(2, 3, 4)]), ("ij->ik", [(2, 3)]), ("ij,jk->ik", [(2, 3)]), ("ij->ii", [(2, 3)]), ("i->", [(3,)]), ("bhqd,bhkd->bhqk", [(2, 4, 5, 8), (2, 4, 6, 8)]),
    ("bhqd,bhkd->bhqk", [(2, 4, 5, 8), (2, 4, 6, 7)]), ("nct,ncp->ntp", [(2, 3, 4), (2, 3, 5)]), ("i j, j k -> i k", [(2, 3), (3, 4)]), ("...i->...", [(2, 3)]), ("i...->...", [(2, 3)]),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)]), ("ij,jk,kl->il", [(2, 3), (3, 4), (3, 5)]), ("a,b,c->abc", [(2,), (3,), (4,)]), ("ba", [(2, 3)]), ("...,...->...", [(2, 3), (3,)]), ("", [()]),
]


def rows():
    """Linear algebra rows."""
    for a in SIDES:
        for b in SIDES:
            yield "operator @", f"{ones(a)} @ {ones(b)}"
            yield "np.matmul", f"np.matmul({ones(a)}, {ones(b)})"
            yield "np.dot", f"np.dot({ones(a)}, {ones(b)})"
            if len(a) <= 2 and len(b) <= 2:
                for name in ["inner", "outer", "vdot", "kron", "cross"]:
                    yield f"np.{name}", f"np.{name}({ones(a)}, {ones(b)})"
                yield "ndarray.dot", f"{ones(a)}.dot({ones(b)})"
    for pair in ["np.ones((2, 3)), [1, 2, 3]", "[[1, 2], [3, 4]], [[1, 2], [3, 4]]", "[1, 2], [1, 2]", "[1, 2], [1, 2, 3]", "3, 4", "2, np.ones(3)", "np.ones(3, dtype=int), np.ones(3, dtype=int)", "np.ones((2, 2), dtype=bool), np.ones((2, 2))", "np.ones(3, dtype='float32'), np.ones(3)"]:
        for name in ["dot", "matmul", "inner", "outer", "vdot", "multiply", "kron"]:
            yield f"np.{name}", f"np.{name}({pair})"
    for value in ["2", "[1, 2, 3]", "[1, 2]", "[[1], [2], [3]]", "np.float64(2)"]:
        yield "operator @", f"np.ones((2, 3)) @ {value}"
        yield "operator @", f"{value} @ np.ones((3, 2))"
    for a, b in [((2, 3), (3, 2)), ((3, 3), (3, 3)), ((2, 3), (3, 3)), ((3,), (3, 3)), ((3,), (3,))]:
        yield "operator @=", f"a = {ones(a)}; a @= {ones(b)}; a"
    for args in ["axes=0", "axes=1", "axes=2", "axes=3", "axes=([1], [0])", "axes=([0], [1])", "axes=(1, 0)", "axes=([0, 1], [0, 1])", "axes=([0, 1], [1, 0])", "axes=([0], [0, 1])", "axes=(-1, 0)", "axes=(5, 0)"]:
        for a, b in [((2, 3), (3, 4)), ((2, 3), (2, 3)), ((2, 3, 4), (3, 2, 5)), ((3,), (3,)), ((2, 3), (4, 5))]:
            yield "np.tensordot", f"np.tensordot({ones(a)}, {ones(b)}, {args})"
    for a, b in [((2, 3), (3, 4)), ((2, 3), (2, 3)), ((2, 3, 4), (3, 4)), ((2, 3, 4), (4, 5))]:
        yield "np.tensordot", f"np.tensordot({ones(a)}, {ones(b)})"
    for spec, shapes in EINSUM:
        yield "np.einsum", f"np.einsum({spec!r}, {', '.join(ones(shape) for shape in shapes)})"
        if len(shapes) == 2:
            yield "np.einsum", f"np.einsum({spec!r}, {', '.join(ones(shape) for shape in shapes)}, optimize=True)"
            yield "np.einsum", f"np.einsum({spec!r}, {ones(shapes[1])}, {ones(shapes[0])})"
    yield "np.einsum", "np.einsum('ij,j', [[1, 2], [3, 4]], [1, 2])"
    yield "np.einsum", "np.einsum(np.ones((2, 3)), [0, 1], np.ones((3, 4)), [1, 2], [0, 2])"
    for shape in SQUARES:
        array = ones(shape)
        regular = f"({array} + np.eye({shape[-1]}))" if len(shape) >= 2 and shape[-1] == shape[-2] else array
        for name in ["inv", "det", "slogdet", "eig", "eigh", "eigvals", "eigvalsh", "cholesky"]:
            yield f"np.linalg.{name}", f"np.linalg.{name}({regular})"
        for name in ["qr", "svd", "pinv", "matrix_rank", "cond", "norm"]:
            yield f"np.linalg.{name}", f"np.linalg.{name}({regular})"
        for power in ["2", "0", "3", "-1", "1.5"]:
            yield "np.linalg.matrix_power", f"np.linalg.matrix_power({regular}, {power})"
        for extra in ["full_matrices=False", "compute_uv=False", "full_matrices=True"]:
            yield "np.linalg.svd", f"np.linalg.svd({regular}, {extra})"
        for mode in ["reduced", "complete", "r", "nonsense"]:
            yield "np.linalg.qr", f"np.linalg.qr({regular}, mode='{mode}')"
        for b in [(), (2,), (3,), (2, 1), (3, 1), (3, 2), (3, 5), (2, 3), (4, 3, 1), (4, 3)]:
            yield "np.linalg.solve", f"np.linalg.solve({regular}, {ones(b)})"
            yield "np.linalg.lstsq", f"np.linalg.lstsq({regular}, {ones(b)})"
        for extra in ["axis=0", "axis=1", "axis=-1", "ord=1", "ord='fro'", "ord=np.inf", "axis=(0, 1)", "axis=1, keepdims=True", "keepdims=True", "axis=3", "2", "2, 0", "ord='nuc'", "ord='nonsense'", "None, 1"]:
            yield "np.linalg.norm", f"np.linalg.norm({array}, {extra})"
        yield "np.linalg.tensorinv", f"np.linalg.tensorinv({regular}, ind=1)"
    for argument in ["[[2, 1], [1, 2]]", "[[1, 2, 3], [4, 5, 6]]", "np.eye(3, dtype='float32')", "np.eye(2, dtype=complex)", "[[1, 2], [3]]"]:
        for name in ["inv", "det", "eig", "eigh", "eigvalsh", "cholesky", "svd", "qr", "pinv", "norm", "matrix_rank", "slogdet"]:
            yield f"np.linalg.{name}", f"np.linalg.{name}({argument})"
    for args in ["[np.ones((2, 3)), np.ones((3, 4)), np.ones((4, 5))]", "[np.ones((2, 3)), np.ones((4, 5))]", "[np.ones(3), np.ones((3, 4))]", "[np.ones((2, 3))]"]:
        yield "np.linalg.multi_dot", f"np.linalg.multi_dot({args})"
    for mode in ["", ", 'same'", ", 'valid'", ", mode='full'", ", 'nonsense'"]:
        for a, b in [("np.ones(5)", "np.ones(3)"), ("np.ones(3)", "np.ones(5)"), ("[1, 2, 3]", "[0, 1]"), ("np.ones(0)", "np.ones(3)"), ("np.ones((2, 3))", "np.ones(3)"), ("np.ones(4)", "2"), ("np.ones(1)", "np.ones(1)")]:
            yield "np.convolve", f"np.convolve({a}, {b}{mode})"
            yield "np.correlate", f"np.correlate({a}, {b}{mode})"
    for name, calls in {
        "polyfit": ["np.arange(5), np.ones(5), 2", "np.arange(5), np.ones(4), 2", "np.arange(5), np.ones((5, 2)), 1", "np.ones((2, 3)), np.ones(2), 1", "[0, 1, 2], [1, 2, 3], 1", "np.arange(5), np.ones(5), -1", "np.arange(5.0), np.ones(5), deg=3"],
        "polyval": ["[1, 2, 3], 2", "[1, 2], np.ones(4)", "np.ones(3), np.ones((2, 3))", "[1, 2], [[1, 2], [3, 4]]"],
        "polyadd": ["[1, 2], [1, 2, 3]", "np.ones(3), np.ones(3)"],
        "polymul": ["[1, 2], [1, 2, 3]"],
        "polyder": ["[1, 2, 3]", "np.ones(4), 2"],
        "polyint": ["[1, 2, 3]"],
        "roots": ["[1, 2, 3]", "np.ones((2, 2))", "[1]"],
        "poly": ["[1, 2, 3]", "np.eye(3)"],
        "trapezoid": ["np.ones(5)", "np.ones((2, 5))", "np.ones((2, 5)), axis=0", "np.ones(5), np.arange(5)", "np.ones(5), np.arange(4)", "np.ones(5), dx=0.1", "np.ones((2, 5)), axis=2", "[1, 2, 3]"],
    }.items():
        for call in calls:
            yield f"np.{name}", f"np.{name}({call})"
    for name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]:
        for shape in [(), (1,), (8,), (0,), (2, 6), (2, 3, 4)]:
            for extra in ["", ", 5", ", n=4", ", axis=0", ", n=0", ", axis=2", ", n=3, axis=-1"]:
                yield f"np.fft.{name}", f"np.fft.{name}({ones(shape)}{extra})"
    for name in ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn", "fftshift", "ifftshift"]:
        for shape in [(), (8,), (2, 6), (2, 3, 4)]:
            yield f"np.fft.{name}", f"np.fft.{name}({ones(shape)})"
            yield f"np.fft.{name}", f"np.fft.{name}({ones(shape)}, axes=(0, 1))"
            if "shift" not in name:
                yield f"np.fft.{name}", f"np.fft.{name}({ones(shape)}, s=(4, 5), axes=(0, 1))"
    for name in ["fftfreq", "rfftfreq"]:
        for args in ["8", "9", "8, 0.1", "8, d=2.0", "0", "2.5"]:
            yield f"np.fft.{name}", f"np.fft.{name}({args})"
    for name, items in {"linalg": ["vector_norm", "matrix_norm", "outer", "diagonal", "trace", "matrix_transpose", "cross", "svdvals"]}.items():
        for item in items:
            for shape in [(3,), (2, 3), (3, 3)]:
                if item in {"outer", "cross"}:
                    yield f"np.{name}.{item}", f"np.{name}.{item}({ones(shape)}, {ones(shape)})"
                else:
                    yield f"np.{name}.{item}", f"np.{name}.{item}({ones(shape)})"
    for shape in ALL:
        yield "np.vecdot", f"np.vecdot({ones(shape)}, {ones(shape)})"
