"""`bisect`: positions."""

from _pytrope import some


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    return some(int)


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    return some(int)


bisect = bisect_right
