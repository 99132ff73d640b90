"""`sys`: only what every run agrees on."""

from _pytrope import some, unknown

maxsize = 9223372036854775807
byteorder = some(str)
platform = some(str)
executable = some(str)
version = some(str)


def getrecursionlimit():
    return some(int)


def setrecursionlimit(limit, /):
    return None


def getsizeof(*args):
    return some(int)


def intern(string, /):
    return string
