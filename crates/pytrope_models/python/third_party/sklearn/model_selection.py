"""sklearn.model_selection: splits."""

from _pytrope import array, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown
from numpy import ndarray


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    if not has_rank(arrays):
        return unknown("parts of unknown arrays")
    count = None
    for one in arrays:
        if is_array(one, ndarray) and has_rank(shape_of(one)) and len(shape_of(one)) > 0:
            size = shape_of(one)[0]
            if not is_constant(size):
                continue
            if count is None:
                count = size
            else:
                require(
                    count == size,
                    ValueError,
                    f"the arrays to split have {count} and {size} samples",
                    rule="shape-argument",
                )
    train, test = sizes(count, test_size, train_size)
    parts = []
    for one in arrays:
        if is_array(one, ndarray) and has_rank(shape_of(one)) and len(shape_of(one)) > 0:
            rest = shape_of(one)[1:]
            parts.append(array(ndarray, (train,) + rest, dtype_of(one)))
            parts.append(array(ndarray, (test,) + rest, dtype_of(one)))
        else:
            parts.append(unknown("a part of an unknown value"))
            parts.append(unknown("a part of an unknown value"))
    return parts


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


def __getattr__(name):
    return unknown(name)
