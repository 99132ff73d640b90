"""Fourier transforms, windows and matrices: torch.fft, torch.linalg, torch.special, torch.signal."""

from itertools import product

from ._shapes import fill

ONE = "fft ifft rfft irfft hfft ihfft".split()
MANY = "fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split()
SHAPES = ["t(8)", "t(2, 6)", "t(2, 3, 4)", "t()", "t(0)", "c(5)", "c(2, 3, 4)", "i(4, 4)", "d(3, 4)", "t(2, 3, 4, 5)"]
MATRICES = ["t(3, 3)", "t(2, 3)", "t(3, 2)", "t(2, 3, 3)", "t(2, 3, 4)", "t(3)", "t()", "d(3, 3)", "i(3, 3)", "c(3, 3)", "t(0, 0)", "t(4, 2, 3, 3)"]
UNARY_MATRIX = ["det", "slogdet", "inv", "pinv", "cholesky", "qr", "svd", "svdvals", "eig", "eigvals", "eigh", "eigvalsh", "matrix_exp", "matrix_rank", "cond", "lu_factor", "lu", "norm", "matrix_norm", "vector_norm", "diagonal", "inv_ex", "cholesky_ex", "ldl_factor", "vander"]
PAIRS = [("t(3, 3)", "t(3)"), ("t(3, 3)", "t(3, 2)"), ("t(3, 3)", "t(2, 3)"), ("t(3, 3)", "t(4)"), ("t(2, 3, 3)", "t(3, 2)"), ("t(2, 3, 3)", "t(2, 3)"), ("t(2, 3, 3)", "t(2, 3, 4)"), ("t(2, 3)", "t(2)"), ("t(2, 3)", "t(3)"), ("t(3)", "t(3)"), ("t(3, 3)", "d(3)"), ("i(3, 3)", "i(3)"),
         ("t(5, 3, 3)", "t(5, 3)"), ("t(4, 3)", "t(4, 2)"), ("t(4, 3)", "t(3, 4)"), ("t(2, 4, 3)", "t(2, 4, 1)"), ("t(1, 3, 3)", "t(2, 3, 1)"), ("d(3, 3)", "d(3, 1)")]
SPECIAL = "erf erfc erfinv gammaln digamma psi expit logit exp2 expm1 log1p i0 i0e i1 i1e ndtr ndtri log_ndtr entr sinc round bessel_j0 bessel_j1 airy_ai erfcx spherical_bessel_j0".split()


def rows():
    for name, x in product(ONE, SHAPES):
        for arguments in ["", ", 4", ", n=3", ", dim=0", ", n=5, dim=1", ", dim=-2", ", dim=4", ", norm='ortho'", ", n=0"]:
            yield f"torch.fft.{name}({x}{arguments})"
    for name, x in product(MANY, SHAPES):
        for arguments in ["", ", s=(4, 4)", ", dim=(0, 1)", ", (2, 3), (0, 1)", ", dim=0", ", s=(4,)", ", dim=(0, 0)", ", norm='forward'", ", s=(3, 3, 3)"]:
            yield f"torch.fft.{name}({x}{arguments})"
    yield from fill(["torch.fft.fftshift({x})", "torch.fft.ifftshift({x})", "torch.fft.fftshift({x}, dim=0)", "torch.fft.fftshift({x}, dim=(0, 1))", "torch.fft.ifftshift({x}, dim=3)"], x=SHAPES)
    yield from ["torch.fft.fftfreq(5)", "torch.fft.rfftfreq(6)", "torch.fft.rfftfreq(5, d=0.5)", "torch.fft.fftfreq(4, 2.0)", "torch.fft.fftfreq(0)", "torch.fft.rfftfreq(4, dtype=torch.float64)", "torch.fft.fftfreq(2.5)"]
    for name, x in product(UNARY_MATRIX, MATRICES):
        yield f"torch.linalg.{name}({x})"
    for x in MATRICES:
        for call in ["qr({x}, mode='complete')", "qr({x}, 'r')", "svd({x}, full_matrices=False)", "matrix_power({x}, 2)", "matrix_power({x}, -1)", "matrix_power({x}, 0)", "norm({x}, 'fro')", "norm({x}, 2)", "norm({x}, 'nuc')", "norm({x}, dim=0)", "norm({x}, dim=(0, 1))", "norm({x}, 1, -1, True)",
                     "matrix_norm({x}, 'nuc')", "matrix_norm({x}, dim=(0, 1), keepdim=True)", "vector_norm({x}, dim=-1)", "vector_norm({x}, 3, dim=(0, 1))", "vector_norm({x}, keepdim=True)", "diagonal({x}, offset=1)", "cond({x}, 1)", "matrix_rank({x}, hermitian=True)", "pinv({x}, hermitian=True)",
                     "multi_dot([{x}, {x}])", "multi_dot([{x}, {x}, {x}])", "multi_dot([{x}])", "vecdot({x}, {x})", "cross({x}, {x})", "cross({x}, {x}, dim=0)", "tensorinv({x}, ind=1)", "eigh({x}, UPLO='U')[1]", "cholesky({x}, upper=True)", "lu_factor({x})[1]", "householder_product({x}, {x}[..., 0])",
                     "svdvals({x})", "matrix_exp({x})", "cholesky({x} @ {x}.mT)", "inv({x} @ {x}.mT)"]:
            yield "torch.linalg." + call.replace("{x}", x)
    for name, (left, right) in product(["solve", "lstsq", "solve_ex", "matmul", "vecdot", "cross", "tensorsolve", "multi_dot2"], PAIRS):
        if name == "lstsq":
            yield f"torch.linalg.lstsq({left}, {right}).solution"
        elif name == "multi_dot2":
            yield f"torch.linalg.multi_dot([{left}, {right}])"
        elif name == "solve_ex":
            yield f"torch.linalg.solve_ex({left}, {right})[0]"
        else:
            yield f"torch.linalg.{name}({left}, {right})"
    for left, right in PAIRS:
        yield f"torch.linalg.solve_triangular({left}, {right}, upper=True)"
        yield f"torch.linalg.solve_triangular({left}, {right}, upper=False, left=False)"
        yield f"torch.linalg.solve({left}, {right}, left=False)"
        yield f"torch.cholesky_solve({right}, {left})"
        yield f"torch.linalg.matmul({left}, {right})"
        for name in ["matmul", "mm", "mv", "bmm", "dot", "inner", "outer", "kron", "cdist", "tensordot", "vdot"]:
            yield f"torch.{name}({left}, {right})"
    for name, x in product(SPECIAL, ["t(2, 3)", "i(3)", "b(2)", "d(2)", "c(2)", "t()"]):
        yield f"torch.special.{name}({x})"
    for name in "xlogy xlog1py zeta gammainc gammaincc".split():
        for left, right in [("t(2, 3)", "t(3)"), ("t(2)", "t(3)"), ("i(2)", "i(2)"), ("t(2)", "2"), ("2", "t(2)"), ("d(2)", "t(2)")]:
            yield f"torch.special.{name}({left}, {right})"
    yield from fill(["torch.special.softmax({x}, 0)", "torch.special.log_softmax({x}, 1)", "torch.special.logsumexp({x}, 0)", "torch.special.logsumexp({x}, (0, 1))", "torch.special.multigammaln({x} + 3, 2)", "torch.special.polygamma(1, {x})"], x=["t(2, 3)", "t(3)", "i(2, 3)", "t()"])
    for name in "bartlett blackman cosine exponential gaussian hamming hann kaiser nuttall".split():
        more = ", std=1.0" if name == "gaussian" else ""
        for size in ["5", "0", "1", "-1", "2.5"]:
            yield f"torch.signal.windows.{name}({size}{more})"
        yield f"torch.signal.windows.{name}(4{more}, dtype=torch.float64)"
    for name in "hann_window hamming_window blackman_window bartlett_window kaiser_window".split():
        for arguments in ["5", "0", "4, False", "4, periodic=True", "-2", "6, dtype=torch.float64", "4, dtype=torch.int64"]:
            yield f"torch.{name}({arguments})"
    for x in ["t(100)", "t(2, 100)", "t(2, 3, 100)", "t(5)", "c(100)"]:
        for arguments in ["16, return_complex=True", "16, 4, return_complex=True", "n_fft=16, hop_length=8, win_length=16, window=t(16), return_complex=True", "16, window=t(8), return_complex=True", "16, window=t(20), return_complex=True", "16, center=False, return_complex=True",
                          "16, onesided=False, return_complex=True", "16, pad_mode='constant', return_complex=True", "300, return_complex=True"]:
            yield f"torch.stft({x}, {arguments})"
    for x in ["c(9, 10)", "c(2, 9, 10)", "c(8, 10)", "t(9, 10)", "c(2, 3, 9, 10)"]:
        for arguments in ["16", "16, hop_length=4", "16, length=30", "16, window=t(16) + 1", "16, window=t(8)", "n_fft=16, onesided=True"]:
            yield f"torch.istft({x}, {arguments}).dim()"
