"""`json`: text out is a string, what comes in is Unknown."""

from _pytrope import some, unknown


def dumps(obj, **options):
    return some(str)


def dump(obj, fp, **options):
    return None


def loads(s, **options):
    return unknown("json.loads reads data")


def load(fp, **options):
    return unknown("json.load reads data")
