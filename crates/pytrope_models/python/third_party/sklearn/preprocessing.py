"""sklearn.preprocessing: scalers and encoders."""

from _pytrope import array, has_rank, is_array, is_unknown, shape_of, unknown
from numpy import ndarray

from ._base import Estimator, Scaler, Transformer


class StandardScaler(Scaler):
    pass


class MinMaxScaler(Scaler):
    pass


class MaxAbsScaler(Scaler):
    pass


class RobustScaler(Scaler):
    pass


class Normalizer(Transformer):
    def _pytrope_fitted(self):
        """There is nothing to fit."""


class PolynomialFeatures(Transformer):
    """Products of features; how many depends on options that are not followed."""

    def _pytrope_columns(self, shape):
        return unknown("a number of products")


class QuantileTransformer(Transformer):
    pass


class PowerTransformer(Transformer):
    pass


class LabelEncoder(Estimator):
    """One label for each; a vector."""

    def fit(self, y):
        return self

    def transform(self, y):
        return labels(y)

    def fit_transform(self, y):
        return labels(y)

    def inverse_transform(self, y):
        return unknown("unchanged labels")


def labels(y):
    if is_unknown(y) or not is_array(y, ndarray) or not has_rank(shape_of(y)) or len(shape_of(y)) != 1:
        return unknown("labels")
    return array(ndarray, shape_of(y), "int64")


def __getattr__(name):
    return unknown(name)
