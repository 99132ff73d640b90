"""sklearn.datasets: arrays of documented or given sizes."""

from _pytrope import array, is_constant, is_unknown, unknown
from numpy import ndarray


class Bunch:
    def __init__(self, samples, features):
        self.data = array(ndarray, (samples, features), "float64")
        self.target = array(ndarray, (samples,), unknown("the dtype of a target"))

    def __getitem__(self, key):
        if is_unknown(key) or not isinstance(key, str):
            return unknown("a part of a data set")
        if key == "data":
            return self.data
        return self.target if key == "target" else unknown("a part of a data set")

    def __getattr__(self, name):
        return unknown("a part of a data set")


def _loaded(samples, features, return_X_y, as_frame):
    if not is_constant(return_X_y) or not is_constant(as_frame) or as_frame:
        return unknown("a data set")
    both = Bunch(samples, features)
    return (both.data, both.target) if return_X_y else both


def load_iris(*, return_X_y=False, as_frame=False):
    return _loaded(150, 4, return_X_y, as_frame)


def load_wine(*, return_X_y=False, as_frame=False):
    return _loaded(178, 13, return_X_y, as_frame)


def load_breast_cancer(*, return_X_y=False, as_frame=False):
    return _loaded(569, 30, return_X_y, as_frame)


def load_diabetes(*, return_X_y=False, as_frame=False, scaled=True):
    return _loaded(442, 10, return_X_y, as_frame)


def _made(samples, features):
    if is_unknown(samples) or is_unknown(features) or not isinstance(samples, int) or not isinstance(features, int):
        return unknown("a generated data set")
    return (
        array(ndarray, (samples, features), "float64"),
        array(ndarray, (samples,), unknown("the dtype of a target")),
    )


def make_classification(n_samples=100, n_features=20, *args, **options):
    return _made(n_samples, n_features) if len(args) == 0 else unknown("a generated data set")


def make_regression(n_samples=100, n_features=100, *, n_targets=1, coef=False, **options):
    return _made(n_samples, n_features) if n_targets == 1 and coef is False else unknown("a generated data set")


def make_blobs(n_samples=100, n_features=2, *, return_centers=False, centers=None, **options):
    if return_centers is not False or not (centers is None or isinstance(centers, int)):
        return unknown("a generated data set")
    return _made(n_samples, n_features)


def make_moons(n_samples=100, **options):
    return _made(n_samples, 2)


def make_circles(n_samples=100, **options):
    return _made(n_samples, 2)


def __getattr__(name):
    return unknown(name)
