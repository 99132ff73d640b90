"""`warnings`: `catch_warnings` catches no exceptions."""

from _pytrope import unknown


def warn(message, category=None, stacklevel=1, source=None, *, skip_file_prefixes=()):
    # A filter may turn a warning into an exception.
    return unknown("warnings.warn")


def simplefilter(action, category=Warning, lineno=0, append=False):
    return None


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    return None


def resetwarnings():
    return None


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        pass

    def __enter__(self):
        return unknown("warnings recorded in the block")

    def __exit__(self, *exc_info):
        return None
