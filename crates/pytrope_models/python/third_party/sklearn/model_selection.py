"""sklearn.model_selection: splits."""

from _pytrope import array, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown
from numpy import ndarray

from ._base import is_frame, is_series, matrix, rows_of


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    if not has_rank(arrays):
        return unknown("parts of unknown arrays")
    count = None
    for one in arrays:
        size = rows_of(one)
        if size is None or not is_constant(size):
            continue
        if count is None:
            count = size
        else:
            require(
                count == size,
                ValueError,
                f"the arrays to split differ in their number of samples: {count} ≠ {size}",
                rule="shape-argument",
            )
    train, test = sizes(count, test_size, train_size)
    parts = []
    for one in arrays:
        if is_array(one, ndarray) and has_rank(shape_of(one)) and len(shape_of(one)) > 0:
            rest = shape_of(one)[1:]
            parts.append(array(ndarray, (train,) + rest, dtype_of(one)))
            parts.append(array(ndarray, (test,) + rest, dtype_of(one)))
        elif is_frame(one):
            from pandas._frame import frame

            parts.append(frame(one._pytrope_columns, train))
            parts.append(frame(one._pytrope_columns, test))
        elif is_series(one):
            parts.append(column(train, one._pytrope_dtype))
            parts.append(column(test, one._pytrope_dtype))
        else:
            parts.append(unknown("a part of an unknown value"))
            parts.append(unknown("a part of an unknown value"))
    return parts


def column(size, dtype):
    """A series of some values of another one."""
    from pandas._series import Series

    made = Series()
    made._pytrope_size, made._pytrope_dtype = size, dtype
    return made


def sizes(count, test_size, train_size):
    """How many samples each part has; symbols where that is not computed."""
    if count is None or train_size is not None or is_unknown(test_size):
        return fresh("train"), fresh("test")
    share = 0.25 if test_size is None else test_size
    if isinstance(share, int) and not isinstance(share, bool) and is_constant(share) and 0 < share and share < count:
        return count - share, share
    if isinstance(share, float) and is_constant(share) and 0.0 < share and share < 1.0:
        exact = count * share
        test = int(exact)
        if test < exact:
            test += 1
        return count - test, test
    return fresh("train"), fresh("test")


def cross_val_score(estimator, X, y=None, *args, **options):
    return unknown("scores")


class KFold:
    """Folds of equal size where the samples divide; otherwise sizes are left open, as they differ by one."""

    def __init__(self, n_splits=5, *, shuffle=False, random_state=None):
        if is_constant(n_splits) and isinstance(n_splits, int):
            require(n_splits > 1, ValueError, f"{type(self).__name__} takes 2 folds or more, not {n_splits}")
        self.n_splits = n_splits

    def __getattr__(self, name):
        return unknown("a part of a splitter that is not modelled")

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def _pytrope_fold(self, count):
        """How many samples are held out; Unknown where that differs between folds."""
        if is_constant(count) and count % self.n_splits == 0:
            return count // self.n_splits
        return unknown("the size of a fold")

    def split(self, X, y=None, groups=None):
        samples = matrix(X)
        count = fresh("samples") if is_unknown(samples) or len(shape_of(samples)) == 0 else shape_of(samples)[0]
        folds = self.n_splits
        if not is_constant(folds) or not isinstance(folds, int) or folds > 20:
            return unknown("unknown folds")
        return self._pytrope_parts(folds, count)

    def _pytrope_parts(self, folds, count):
        if is_constant(count):
            message = f"{folds} folds of {count} samples"
            require(folds <= count, ValueError, message, rule="shape-argument")
        for _ in range(folds):
            held = self._pytrope_fold(count)
            if is_unknown(held):
                yield array(ndarray, (fresh("train"),), "int64"), array(ndarray, (fresh("test"),), "int64")
            else:
                yield array(ndarray, (count - held,), "int64"), array(ndarray, (held,), "int64")


class StratifiedKFold(KFold):
    """Which samples are held out depends on the labels."""

    def _pytrope_fold(self, count):
        return unknown("the size of a fold")


def __getattr__(name):
    return unknown(name)
