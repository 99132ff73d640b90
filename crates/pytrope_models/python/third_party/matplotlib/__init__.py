"""matplotlib: drawing reads what it is given and changes nothing."""

from _pytrope import unknown

rcParams = unknown("the settings of matplotlib")


def use(backend, *, force=True):
    return None
