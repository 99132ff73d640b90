"""`time`: clocks."""

from _pytrope import some, unknown


def time():
    return some(float)


def perf_counter():
    return some(float)


def monotonic():
    return some(float)


def process_time():
    return some(float)


def time_ns():
    return some(int)


def perf_counter_ns():
    return some(int)


def sleep(seconds, /):
    return None


def strftime(format, *t):
    return some(str)


def ctime(*seconds):
    return some(str)
