"""sklearn.exceptions."""

from _pytrope import unknown


class NotFittedError(ValueError, AttributeError):
    """An estimator is used before it is fitted."""


def __getattr__(name):
    return unknown(name)
