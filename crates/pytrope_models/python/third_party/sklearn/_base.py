"""Estimators: what fit, predict and transform check and give."""

from _pytrope import (
    array,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    loaded_module,
    require,
    set_attrs,
    setting,
    shape_of,
    unknown,
)
from numpy import ndarray

from .exceptions import NotFittedError

# The setting that says what transformers give: arrays, unless a program changes it.
OUTPUT = "sklearn.transform_output"


def is_of_pandas(x, name):
    """Whether a value is an instance of a class of pandas, and of no other that derives from it."""
    pandas = unknown("a value that may be anything") if is_unknown(x) or is_array(x) else loaded_module("pandas")
    return not is_unknown(pandas) and type(x) is getattr(pandas, name)


def is_frame(x):
    return is_of_pandas(x, "DataFrame")


def is_series(x):
    return is_of_pandas(x, "Series")


def rows_of(x):
    """How many samples an array, a frame or a series has; None for everything else."""
    if is_array(x, ndarray):
        return shape_of(x)[0] if has_rank(shape_of(x)) and len(shape_of(x)) > 0 else None
    if is_frame(x):
        return x._pytrope_rows
    return x._pytrope_size if is_series(x) else None


def matrix(X):
    """A matrix of samples whose shape is known, or what a frame with known columns becomes; Unknown for sparse matrices
    and everything else."""
    if is_frame(X) and not is_unknown(X._pytrope_columns):
        shape = (X._pytrope_rows, len(X._pytrope_columns))
        return array(ndarray, shape, unknown("the dtype of the samples of a frame"))
    if is_unknown(X) or not is_array(X, ndarray) or not has_rank(shape_of(X)):
        return unknown("unknown samples")
    return X


def two_axes(X):
    require(
        len(shape_of(X)) == 2,
        ValueError,
        f"scikit-learn takes a matrix of samples, but this array has shape {shape_of(X)}",
        rule="shape-argument",
        help="one feature is a column: reshape(-1, 1)" if len(shape_of(X)) == 1 else None,
    )


def same_length(X, y):
    """Samples and targets are as many."""
    a, b = shape_of(X)[0], rows_of(y)
    if b is not None and is_constant(a) and is_constant(b):
        require(a == b, ValueError, f"samples and targets differ in number: {a} ≠ {b}", rule="shape-argument")


class Estimator:
    """Base of all: parameters are kept, attributes that fitting makes are not followed."""

    # An instance of which its constructor is all that is known has no features: it is not fitted. What unknown code may
    # have fitted has lost that mark.
    _pytrope_volatile = True
    _pytrope_features = unknown("features of an estimator that may be fitted")
    _pytrope_target = unknown("a target of an estimator that may be fitted")

    def __init__(self, *args, **options):
        set_attrs(self, _pytrope_features=None, _pytrope_target=None)

    def __getattr__(self, name):
        # What is not modelled may be a method that fits.
        set_attrs(self, _pytrope_features=unknown("features of an estimator that may be fitted"))
        return unknown("a part of an estimator that is not modelled")

    def __setattr__(self, name, value):
        """Attributes of a fitted estimator may be set from elsewhere (`model.coef_ = weights`)."""
        set_attrs(self, **{name: value})
        if name.endswith("_"):
            set_attrs(self, _pytrope_features=unknown("features of an estimator that may be fitted"))

    def _pytrope_fitted(self):
        require(
            self._pytrope_features is not None,
            NotFittedError,
            f"{type(self).__name__} is used before it is fitted",
            rule="layer-mismatch",
        )

    def get_params(self, deep=True):
        return unknown("parameters")

    def set_params(self, **options):
        return self

    def _pytrope_fit(self, X, y=None):
        given = matrix(X)
        if is_unknown(given):
            self._pytrope_features = unknown("unknown features")
            self._pytrope_target = unknown("an unknown target")
            return
        two_axes(given)
        if y is not None:
            same_length(given, y)
        self._pytrope_features = shape_of(given)[1]
        known = is_array(y, ndarray) and has_rank(shape_of(y)) if not is_unknown(y) else False
        self._pytrope_target = y if known else unknown("an unknown target")

    def _pytrope_check(self, X):
        """Samples for an estimator that was fitted have its number of features."""
        self._pytrope_fitted()
        given = matrix(X)
        if is_unknown(given):
            return given
        two_axes(given)
        wanted = self._pytrope_features
        if wanted is not None and is_constant(wanted) and is_constant(shape_of(given)[1]):
            require(
                shape_of(given)[1] == wanted,
                ValueError,
                f"{type(self).__name__} was fitted on {wanted} features, but these samples have {shape_of(given)[1]}",
                rule="layer-mismatch",
            )
        return given

    def fit(self, X, y=None, *args, **options):
        self._pytrope_fit(X, y)
        return self


class Predictor(Estimator):
    def predict(self, X, *args, **options):
        given = self._pytrope_check(X)
        target = self._pytrope_target
        if is_unknown(given) or target is None or is_unknown(target):
            return unknown("predictions")
        if len(shape_of(target)) != 1:
            return unknown("predictions of several targets")
        return array(ndarray, (shape_of(given)[0],), unknown("the dtype of predictions"))

    def score(self, X, y=None, *args, **options):
        given = self._pytrope_check(X)
        if not is_unknown(given) and y is not None:
            same_length(given, y)
        return unknown("a score")

    def predict_proba(self, X, *args, **options):
        self._pytrope_check(X)
        return unknown("probabilities")

    def decision_function(self, X, *args, **options):
        self._pytrope_check(X)
        return unknown("decisions")


class Clusterer(Predictor):
    """Labels without targets."""

    def fit_predict(self, X, y=None, *args, **options):
        self._pytrope_fit(X)
        given = matrix(X)
        return unknown("labels") if is_unknown(given) else array(ndarray, (shape_of(given)[0],), unknown("a dtype"))

    def predict(self, X, *args, **options):
        given = self._pytrope_check(X)
        return unknown("labels") if is_unknown(given) else array(ndarray, (shape_of(given)[0],), unknown("a dtype"))


class Transformer(Estimator):
    """One that keeps the number of features."""

    # Whether results are to be frames.
    _pytrope_framed = False

    def _pytrope_columns(self, shape):
        return shape[1]

    def transform(self, X, *args, **options):
        given = self._pytrope_check(X)
        return self._pytrope_made(given)

    def inverse_transform(self, X, *args, **options):
        return unknown("unchanged samples")

    def fit_transform(self, X, y=None, *args, **options):
        self._pytrope_fit(X, y)
        return self._pytrope_made(matrix(X))

    def set_output(self, *args, **options):
        self._pytrope_framed = True
        return self

    def _pytrope_made(self, given):
        if is_unknown(given) or self._pytrope_framed or setting(OUTPUT, "default") != "default":
            return unknown("unknown samples")
        columns = self._pytrope_columns(shape_of(given))
        if is_unknown(columns):
            return unknown("samples with unexpected features")
        return array(ndarray, (shape_of(given)[0], columns), unknown("the dtype of samples"))


class Scaler(Transformer):
    """One that changes each feature by itself; the way back broadcasts, so that a single feature raises too."""

    def inverse_transform(self, X, *args, **options):
        given = matrix(X)
        wanted = self._pytrope_features
        if is_unknown(given) or wanted is None or not is_constant(wanted):
            return unknown("unchanged samples")
        two_axes(given)
        columns = shape_of(given)[1]
        if not is_constant(columns):
            return unknown("unchanged samples")
        require(
            columns == wanted or wanted == 1,
            ValueError,
            f"{type(self).__name__} was fitted on {wanted} features, but these samples have {columns}",
            rule="layer-mismatch",
        )
        if self._pytrope_framed:
            return unknown("unchanged samples")
        return array(ndarray, shape_of(given), unknown("the dtype of samples"))


class Reducer(Transformer):
    """One that makes a given number of features."""

    def __init__(self, n_components=None, *args, **options):
        super().__init__()
        self.n_components = n_components

    def _pytrope_columns(self, shape):
        count = self.n_components
        if count is None or is_unknown(count) or not isinstance(count, int) or isinstance(count, bool):
            return unknown("a number of components")
        for size in shape:
            if not is_constant(size) or not is_constant(count) or size < count:
                return unknown("fewer components than requested")
        return count
