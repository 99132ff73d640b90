"""`os`: paths are strings; the rest asks the machine."""

from _pytrope import some

from . import path

name = some(str)
sep = some(str)
linesep = some(str)
pathsep = some(str)


def getcwd():
    return some(str)


def getpid():
    return some(int)


def urandom(size, /):
    return some(bytes)
