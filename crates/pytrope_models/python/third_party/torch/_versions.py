"""Which release of PyTorch the program runs with, as far as that is configured or installed.

The models are compared with two releases, 1.13 and 2.15. Where they differ and the release is not known, only what
raises in both is reported, with the class of the newer one.
"""

from _pytrope import is_unknown
from _versions import torch as RELEASE

# The release is one that behaves as 1.13, or as 2.15; neither holds if it is not known or lies between.
IS_OLD = not is_unknown(RELEASE) and RELEASE < (2, 0)
IS_NEW = not is_unknown(RELEASE) and RELEASE >= (2, 15)


def by_release(old, new):
    """The class of an exception."""
    return old if IS_OLD else new


# An operation that has no kernel for an element type.
UNSUPPORTED = by_release(RuntimeError, NotImplementedError)
