"""`os.path`: strings in, strings out. Separators differ between machines, so nothing is exact."""

from _pytrope import some, unknown


def _text(*parts):
    for part in parts:
        if not isinstance(part, str):
            return unknown("a path that is not a string")
    return some(str)


def join(a, /, *paths):
    return _text(a, *paths)


def basename(p):
    return _text(p)


def dirname(p):
    return _text(p)


def abspath(path):
    return _text(path)


def realpath(filename, *, strict=False):
    return _text(filename)


def normpath(path):
    return _text(path)


def expanduser(path):
    return _text(path)


def exists(path):
    return some(bool)


def isfile(path):
    return some(bool)


def isdir(path):
    return some(bool)


def getsize(filename):
    return some(int)


def splitext(p):
    return _text(p), _text(p)


def split(p):
    return _text(p), _text(p)
