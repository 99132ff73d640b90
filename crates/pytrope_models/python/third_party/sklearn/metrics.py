"""sklearn.metrics: comparisons of targets and predictions."""

from _pytrope import has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown
from numpy import ndarray


def compared(y_true, y_pred, *args, **options):
    """Both are as many."""
    for one in (y_true, y_pred):
        if is_unknown(one) or not is_array(one, ndarray) or not has_rank(shape_of(one)) or len(shape_of(one)) == 0:
            return unknown("a score")
    a, b = shape_of(y_true)[0], shape_of(y_pred)[0]
    if is_constant(a) and is_constant(b):
        require(a == b, ValueError, f"targets and predictions differ in number: {a} ≠ {b}", rule="shape-argument")
    return unknown("a score")


accuracy_score = mean_squared_error = mean_absolute_error = r2_score = f1_score = precision_score = recall_score = (
    compared
)
confusion_matrix = classification_report = balanced_accuracy_score = compared


def __getattr__(name):
    return unknown(name)
