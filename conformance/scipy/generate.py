"""Make the conformance tables of the SciPy models from the real library.

    PYTHON generate.py           write the tables
    PYTHON generate.py --check   compare them with the installed library

A row is `statements; expression<TAB>outcome`, as in the tables of NumPy. `n(8, 3)` is a NumPy array of random numbers of that shape, `p(3)` a
positive definite matrix of three rows, `t(8)` a vector of eight ascending numbers.
"""

import sys
import warnings
from itertools import product
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tables import evaluate_row, settle_families, show_sequence  # noqa: E402

PRELUDE = "from scipy import interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats"
MATRICES = ["n(3, 3)", "n(2, 3)", "n(5, 2)", "n(4)", "n(1, 1)", "n(2, 3, 3)", "[[1.0, 2.0], [3.0, 5.0]]", "[1.0, 2.0]", "n(3, 3).astype('float32')"]
VECTORS = ["n(8)", "n(1)", "n(4, 8)", "n(2, 3, 8)", "[1.0, 2.0, 3.0, 5.0]"]
MODES = ["", ", 'same'", ", 'valid'", ", mode='full'"]


def linalg():
    """Decompositions, solutions and special matrices."""
    for name in ["inv", "det", "eig", "eigvals", "svdvals", "pinv", "norm", "expm", "schur", "hessenberg", "lu", "sqrtm", "logm"]:
        for a in MATRICES:
            yield f"linalg.{name}({a})"
    for a in MATRICES + ["p(4)"]:
        for options in ["", ", full_matrices=False", ", compute_uv=False", ", full_matrices=False, compute_uv=True"]:
            yield f"linalg.svd({a}{options})"
        for options in ["", ", mode='economic'", ", mode='r'", ", mode='full'", ", pivoting=True"]:
            yield f"linalg.qr({a}{options})"
        yield f"linalg.eigh({a})"
        yield f"linalg.eigvalsh({a})"
    for a in ["p(3)", "p(1)", "n(2, 3)", "n(4)"]:
        yield f"linalg.cholesky({a})"
        yield f"linalg.cholesky({a}, lower=True)"
        yield f"linalg.cho_factor({a})[0]"
        for b in ["n(3)", "n(3, 2)", "n(4)"]:
            yield f"linalg.cho_solve(linalg.cho_factor({a}), {b})"
    for a, b in product(["n(3, 3)", "n(2, 3)", "n(5, 2)", "n(4)", "p(4)"], ["n(3)", "n(3, 2)", "n(2)", "n(5)", "n(5, 4)", "n(4, 1)", "n(3, 2, 2)"]):
        yield f"linalg.solve({a}, {b})"
        yield f"linalg.solve_triangular({a}, {b})"
        yield f"linalg.lstsq({a}, {b})[0]"
    for parts in ["n(2, 2)", "n(2, 2), n(3, 1)", "n(2), n(3, 3)", "1, n(2, 2)", "n(2, 3), n(4)", "n(2, 2, 2), n(3, 3)", "", "[1, 2], [[3], [4]]"]:
        yield f"linalg.block_diag({parts})"
    for c, r in product(["n(3)", "n(4)", "[1, 2, 3]", "n(1)"], ["", ", n(2)", ", n(5)"]):
        yield f"linalg.toeplitz({c}{r})"
        yield f"linalg.hankel({c}{r})"
        yield f"linalg.circulant({c})"
    for count in ["1", "2", "4", "5"]:
        yield f"linalg.hilbert({count})"
        yield f"linalg.dft({count})"
        yield f"linalg.pascal({count})"


def signal():
    """Filters, convolutions, windows and spectra."""
    shapes = ["n(8)", "n(3)", "n(1)", "n(4, 8)", "n(2, 2)", "[1.0, 2.0]"]
    for name, a, b, mode in product(["convolve", "correlate", "fftconvolve"], shapes, shapes, MODES):
        yield f"signal.{name}({a}, {b}{mode})"
    for name, a, b, mode in product(["convolve2d", "correlate2d"], ["n(4, 8)", "n(2, 2)", "n(8)"], ["n(2, 3)", "n(4, 8)", "n(5, 2)", "n(3)"], MODES):
        yield f"signal.{name}({a}, {b}{mode})"
    for x in VECTORS:
        yield f"signal.lfilter([1.0], [1.0, 0.5], {x})"
        yield f"signal.lfilter([1.0, 2.0], 1, {x}, axis=0)"
        yield f"signal.lfilter([1.0, 2.0], 1, {x}, axis=3)"
        yield f"signal.detrend({x})"
        yield f"signal.hilbert({x})"
        yield f"signal.medfilt({x})"
        yield f"signal.wiener({x})"
        yield f"signal.resample({x}, 5)"
        yield f"signal.resample({x}, 16, axis=-1)"
        yield f"signal.resample_poly({x}, 3, 2, axis=-1)"
        yield f"signal.sosfilt(signal.butter(3, 0.2, output='sos'), {x})"
        yield f"signal.periodogram({x})"
        yield f"signal.welch({x})"
        yield f"signal.welch({x}, 100.0, nperseg=4)"
        yield f"signal.savgol_filter({x}, 3, 1)"
        yield f"signal.savgol_filter({x}, 11, 3)"
        yield f"signal.argrelextrema({x}, np.greater); 1"
        yield f"signal.find_peaks({x}); 1"
    for x in ["n(60)", "n(3, 60)", "n(8)", "n(2)"]:
        yield f"signal.filtfilt([1.0, 0.5], [1.0], {x})"
        yield f"b, a = signal.butter(4, 0.2); signal.filtfilt(b, a, {x})"
        yield f"signal.decimate({x}, 2)"
        yield f"signal.spectrogram({x}, nperseg=16)"
        yield f"signal.stft({x}, nperseg=16)"
    for order, options in product(["1", "2", "5"], ["0.3", "0.3, 'high'", "[0.2, 0.4], 'band'", "[0.2, 0.4], btype='bandstop'", "0.3, output='sos'", "[0.2, 0.4], 'band', output='sos'", "0.3, output='zpk'"]):
        yield f"signal.butter({order}, {options})"
    for count in ["3", "8", "31"]:
        yield f"signal.firwin({count}, 0.3)"
        yield f"signal.get_window('hann', {count})"
        for window in ["hann", "hamming", "blackman", "boxcar", "bartlett", "cosine", "nuttall", "triang"]:
            yield f"signal.windows.{window}({count})"
        yield f"signal.windows.gaussian({count}, 2.0)"
        yield f"signal.windows.kaiser({count}, 2.0)"
        yield f"signal.windows.tukey({count})"
    for t in ["n(8)", "n(4, 2)"]:
        yield f"signal.chirp({t}, 1.0, 1.0, 2.0)"
        yield f"signal.sawtooth({t})"
        yield f"signal.square({t})"


def sparse():
    """Sparse matrices and arrays."""
    made = ["sparse.csr_matrix(n(3, 4))", "sparse.csc_matrix((3, 4))", "sparse.coo_matrix(([1.0, 2.0], ([0, 1], [2, 3])), shape=(3, 4))", "sparse.lil_matrix((4, 4))", "sparse.identity(4)", "sparse.eye(3, 4)", "sparse.eye(4)", "sparse.csr_array(n(3, 4))", "sparse.random(3, 4, 0.5)", "sparse.dok_matrix((3, 4))"]
    for a in made:
        yield f"{a}.shape"
        yield f"{a}.toarray()"
        yield f"{a}.T.shape"
        yield f"{a}.transpose().toarray()"
        yield f"{a}.tocsr().shape"
        yield f"{a}.tocsc().toarray()"
        yield f"{a}.tocoo().shape"
        yield f"{a}.astype('float32').shape"
        yield f"{a}.copy().shape"
        yield f"{a}.ndim"
        yield f"({a} * 2).shape"
        yield f"(-{a}).shape"
        for b in ["n(4)", "n(4, 2)", "n(3)", "n(3, 2)", "n(5, 4)"]:
            yield f"{a} @ {b}"
            yield f"{a}.dot({b})"
            yield f"{b} @ {a}"
        for other in made:
            yield f"({a} @ {other}).shape"
            yield f"({a} + {other}).shape"
            yield f"{a}.multiply({other}).shape"
            yield f"sparse.hstack([{a}, {other}]).shape"
            yield f"sparse.vstack([{a}, {other}]).shape"
            yield f"sparse.kron({a}, {other}).shape"
    for shape in ["(2, 3)", "(3, 2)", "(4, 4)"]:
        yield f"sparse.csr_matrix({shape}).toarray()"
        yield f"sparse.coo_matrix(([1.0], ([2], [2])), shape={shape}).toarray()"
    yield "sparse.csr_matrix(n(4)).shape"
    yield "sparse.csr_array(n(4)).shape"
    yield "sparse.csr_matrix(n(2, 2, 2)).shape"
    yield "sparse.csr_matrix([[1, 0], [0, 2]]).toarray()"
    yield "sparse.diags([1.0, 2.0, 3.0]).toarray()"
    yield "sparse.diags([[1.0, 2.0], [3.0]], [0, 1]).toarray()"
    yield "sparse.issparse(sparse.eye(3))"
    yield "sparse.issparse(n(3, 3))"


def stats():
    """Distributions and statistics."""
    for name, x in product(["norm", "uniform", "expon"], ["n(5)", "n(2, 3)", "[0.1, 0.2]"]):
        for method in ["pdf", "cdf", "ppf", "sf", "logpdf"]:
            yield f"stats.{name}.{method}({x})"
            yield f"stats.{name}.{method}({x}, n(3), 2.0)"
            yield f"stats.{name}(1.0, 2.0).{method}({x})"
    for name in ["norm", "uniform", "expon", "laplace", "logistic"]:
        for size in ["5", "(2, 3)", "[4, 1]", "(3,)"]:
            yield f"stats.{name}.rvs(size={size})"
            yield f"stats.{name}(0.0, 1.0).rvs(size={size})"
            yield f"stats.{name}.rvs(0.0, 1.0, {size})"
    for name, x in product(["zscore", "skew", "kurtosis", "sem", "gmean", "hmean", "iqr", "rankdata", "gstd", "variation"], ["n(8)", "n(4, 8)", "n(2, 3, 4)", "[1.0, 2.0, 4.0]"]):
        yield f"stats.{name}({x})"
        for axis in ["0", "-1", "1", "None", "4"]:
            yield f"stats.{name}({x}, axis={axis})"
    for name, x, y in product(["pearsonr", "spearmanr", "kendalltau", "linregress", "ttest_rel", "wilcoxon"], ["n(8)", "n(9)", "n(1)", "n(8, 2)"], ["n(8)", "n(9)", "n(8, 2)"]):
        yield f"r = stats.{name}({x}, {y}); 1"
    for x, y in product(["n(8)", "n(9)", "n(8, 2)"], ["n(8)", "n(9)", "n(8, 2)"]):
        yield f"r = stats.ttest_ind({x}, {y}); 1"
        yield f"r = stats.ks_2samp({x}, {y}); 1"
        yield f"r = stats.mannwhitneyu({x}, {y}); 1"
    for x in ["n(8)", "n(2, 8)", "n(8, 2)"]:
        yield f"k = stats.gaussian_kde({x}); 1"
        yield f"k = stats.gaussian_kde(n(2, 20)); k({x})"
        yield f"k = stats.gaussian_kde(n(20)); k({x})"
    for x in ["n(3)", "n(5, 3)", "n(2)", "n(5, 2)"]:
        yield f"stats.multivariate_normal(n(3), p(3)).pdf({x})"
        yield f"stats.multivariate_normal.pdf({x}, n(3), p(3))"
    for size in ["1", "4", "(2, 3)"]:
        yield f"stats.multivariate_normal(n(3), p(3)).rvs({size})"
        yield f"stats.multivariate_normal.rvs(n(3), p(3), size={size})"


def optimize():
    """Minima, roots and assignments."""
    for x0 in ["n(3)", "[1.0, 2.0]", "n(1)", "1.0", "n(2, 2)", "(1.0, 2.0, 3.0, 4.0)"]:
        yield f"optimize.minimize(lambda x: (x ** 2).sum(), {x0}).x"
        yield f"r = optimize.minimize(lambda x: (x ** 2).sum(), {x0}, method='Nelder-Mead'); r['x']"
        yield f"optimize.least_squares(lambda x: x - 1.0, {x0}).x"
        yield f"optimize.root(lambda x: x - 1.0, {x0}).x"
        yield f"optimize.fsolve(lambda x: x - 1.0, {x0})"
        yield f"optimize.fmin(lambda x: (x ** 2).sum(), {x0}, disp=False)"
    for x, y, options in product(["t(8)", "t(9)", "n(2, 8)"], ["n(8)", "n(9)"], ["", ", p0=[1.0, 1.0]", ", [1.0, 1.0]", ", p0=[1.0]"]):
        yield f"optimize.curve_fit(lambda x, a, b: a + b * np.sum(x), {x}, {y}{options})[0]"
        yield f"optimize.curve_fit(lambda x, a, b: a + b * np.sum(x), {x}, {y}{options})[1]"
    for cost in ["n(3, 3)", "n(3, 5)", "n(5, 2)", "n(4)", "n(2, 2, 2)", "[[1, 2], [3, 4]]"]:
        yield f"optimize.linear_sum_assignment({cost})"
    for a, b in product(["n(5, 3)", "n(3, 5)", "n(4)"], ["n(5)", "n(3)", "n(5, 1)"]):
        yield f"optimize.nnls({a}, {b})[0]"
    for c, a, b in product(["n(3)", "[1.0, 2.0]"], ["n(4, 3)", "n(4, 2)"], ["n(4)", "n(3)"]):
        yield f"optimize.linprog({c}, A_ub={a}, b_ub={b}).x; 1"
        yield f"optimize.linprog({c}, {a}, {b}).x"


def spatial():
    """Distances and trees."""
    points = ["n(5, 3)", "n(4, 3)", "n(4, 2)", "n(3)", "n(2, 3, 3)", "[[1.0, 2.0, 3.0]]"]
    for a, b in product(points, points):
        yield f"spatial.distance.cdist({a}, {b})"
        yield f"spatial.distance.cdist({a}, {b}, 'cityblock')"
        yield f"spatial.distance_matrix({a}, {b})"
    for a in points:
        yield f"spatial.distance.pdist({a})"
        yield f"spatial.distance.squareform(spatial.distance.pdist({a}))"
        for k in ["1", "2", "4"]:
            yield f"spatial.KDTree(n(6, 3)).query({a}, k={k})"
            yield f"spatial.cKDTree(n(6, 3)).query({a}, {k})"
        yield f"k = spatial.KDTree({a}); 1"
    for name, a, b in product(["euclidean", "cosine", "cityblock", "sqeuclidean", "chebyshev", "correlation"], ["n(3)", "n(4)", "n(2, 3)"], ["n(3)", "n(4)", "n(1, 3)"]):
        yield f"d = spatial.distance.{name}({a}, {b}); 1"
    yield "spatial.distance.squareform(n(6))"
    yield "spatial.distance.squareform(n(5))"


def interpolate():
    """Interpolation along one axis and on grids."""
    for x, y, new in product(["t(8)", "t(7)", "n(2, 4)"], ["n(8)", "n(3, 8)", "n(8, 3)", "n(7)"], ["n(5)", "n(2, 2)", "0.5"]):
        for made in ["interp1d({x}, {y})", "interp1d({x}, {y}, axis=0)", "interp1d({x}, {y}, kind='cubic')", "CubicSpline({x}, {y})", "PchipInterpolator({x}, {y})", "Akima1DInterpolator({x}, {y})", "make_interp_spline({x}, {y})"]:
            yield f"f = interpolate.{made.format(x=x, y=y)}; f(0.1 * {new} + 1.0)"
    for x, y in product(["t(8)", "t(7)"], ["n(8)", "n(7)", "n(3, 8)"]):
        yield f"f = interpolate.UnivariateSpline({x}, {y}); f(n(5))"
        yield f"c = interpolate.splrep({x}, {y}); interpolate.splev(n(5), c)"
        yield f"c = interpolate.splrep({x}, {y}); interpolate.splev(n(2, 2), c)"
    for points, values, new in product(["n(9, 2)", "n(8, 2)"], ["n(9)", "n(8)", "n(9, 3)"], ["n(4, 2)", "n(4, 3)", "(n(3, 5), n(3, 5))"]):
        yield f"interpolate.griddata({points}, {values}, {new}, method='nearest')"
    for x, y, values in product(["t(4)", "t(5)"], ["t(6)", "t(5)"], ["n(4, 6)", "n(5, 5)", "n(4, 6, 2)"]):
        yield f"f = interpolate.RegularGridInterpolator(({x}, {y}), {values}, bounds_error=False); f(n(7, 2))"
        yield f"f = interpolate.RegularGridInterpolator(({x}, {y}), {values}, bounds_error=False); 1"


def images():
    """Filters of images, and functions of each element."""
    for name, x in product(["gaussian_filter({x}, 1.0)", "uniform_filter({x}, 3)", "median_filter({x}, 3)", "sobel({x})", "laplace({x})", "gaussian_filter1d({x}, 1.0)", "maximum_filter({x}, 3)", "binary_dilation({x} > 0.5)", "binary_erosion({x} > 0.5)", "distance_transform_edt({x} > 0.5)", "shift({x}, 1)", "convolve({x}, np.ones((3,) * np.ndim({x})))", "convolve({x}, np.ones((3, 3)))", "convolve1d({x}, np.ones(3))", "label({x} > 0.5)[0]", "zoom({x}, 2)"], ["n(8)", "n(6, 7)", "n(2, 3, 4)", "n(3, 3).astype('float32')"]):
        yield "ndimage." + name.format(x=x)
    for name, x in product(["expit", "gamma", "erf", "logit", "gammaln", "softmax", "log_softmax", "logsumexp", "factorial"], ["n(8)", "n(3, 4)", "[1.0, 2.0]"]):
        yield f"special.{name}({x})"
        if name in ("softmax", "log_softmax", "logsumexp"):
            for axis in ["0", "-1", "3", "None"]:
                yield f"special.{name}({x}, axis={axis})"


def idioms():
    """Statements that people write and that work, a row each: nothing may be reported."""
    for line in (HERE / "idioms.txt").read_text(encoding="utf-8").splitlines():
        yield f"A = sparse.csr_matrix(np.eye(3)); {line}; 1"


FAMILIES = [linalg, signal, sparse, stats, optimize, spatial, interpolate, images, idioms]


def show(value):
    """The outcome's text; None when the table cannot hold it."""
    if type(value) is np.ndarray:
        return f"{value.shape} {value.dtype.name}"
    if isinstance(value, np.generic):
        return f"scalar {value.dtype.name}"
    if value is None or isinstance(value, (bool, int, str)):
        return f"= {value!r}"
    if isinstance(value, (tuple, list)):
        return show_sequence(tuple(value), show)
    return None


def outcome(expression):
    """What the library does."""
    generator = np.random.default_rng(0)
    scope = {"np": np, "n": lambda *shape: generator.random(shape), "p": lambda size: np.eye(size) * 2.0, "t": lambda size: np.arange(size) * 1.0}
    return evaluate_row(expression, PRELUDE, scope, show)


def main():
    """Write or check."""
    warnings.simplefilter("ignore")
    settle_families(HERE / "table", FAMILIES, outcome, "SciPy", "--check" in sys.argv)


if __name__ == "__main__":
    main()
