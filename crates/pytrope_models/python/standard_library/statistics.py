"""`statistics`: numbers of a kind that depends on the data."""

from _pytrope import some


def fmean(data, weights=None):
    return some(float)


def stdev(data, xbar=None):
    return some(float)


def pstdev(data, mu=None):
    return some(float)
