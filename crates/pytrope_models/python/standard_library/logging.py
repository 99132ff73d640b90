"""`logging`: messages read what they are given and change nothing."""

from _pytrope import unknown

CRITICAL = 50
FATAL = 50
ERROR = 40
WARNING = 30
WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0


class Filterer:
    def addFilter(self, filter):
        return None

    def removeFilter(self, filter):
        return None


class Handler(Filterer):
    def __init__(self, *args, **kwargs):
        pass

    def setFormatter(self, fmt):
        return None

    def setLevel(self, level):
        return None

    def __getattr__(self, name):
        return unknown("a property of a handler")


class Logger(Filterer):
    def __init__(self, name=None, level=0):
        self.name = name

    def setLevel(self, level):
        return None

    def debug(self, msg, *args, **kwargs):
        return None

    def info(self, msg, *args, **kwargs):
        return None

    def warning(self, msg, *args, **kwargs):
        return None

    def warn(self, msg, *args, **kwargs):
        return None

    def error(self, msg, *args, **kwargs):
        return None

    def exception(self, msg, *args, exc_info=True, **kwargs):
        return None

    def critical(self, msg, *args, **kwargs):
        return None

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        return None

    def __getattr__(self, name):
        return unknown("a property of a logger")


class StreamHandler(Handler):
    pass


class FileHandler(StreamHandler):
    pass


class NullHandler(Handler):
    pass


class Formatter:
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        return unknown("a property of a formatter")


def getLogger(name=None):
    return Logger(name)


def basicConfig(**kwargs):
    return None


def disable(level=50):
    return None


def captureWarnings(capture):
    return None


def shutdown(handlerList=None):
    return None


def debug(msg, *args, **kwargs):
    return None


def info(msg, *args, **kwargs):
    return None


def warning(msg, *args, **kwargs):
    return None


def error(msg, *args, **kwargs):
    return None


def exception(msg, *args, exc_info=True, **kwargs):
    return None


def critical(msg, *args, **kwargs):
    return None


def log(level, msg, *args, **kwargs):
    return None


warn = warning
fatal = critical
