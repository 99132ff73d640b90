"""Operands of which models know little: every operator works on them, and gives something unknown.

A class of a model that has no `__add__` cannot be added to anything, which is a finding. Classes whose operators exist
and are not modelled derive from this one.
"""

from _pytrope import unknown


def _any_result(self, *args):
    return unknown("the result of an operation that is not modelled")


class OpenOperators:
    """All operators and conversions, with unknown results."""

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _any_result
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = _any_result
    __matmul__ = __rmatmul__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _any_result
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _any_result
    __neg__ = __pos__ = __abs__ = __invert__ = __round__ = _any_result
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _any_result
    __bool__ = __int__ = __float__ = __complex__ = __index__ = __len__ = __str__ = __repr__ = _any_result
    __iter__ = __next__ = __getitem__ = __contains__ = __reversed__ = _any_result
    __enter__ = __exit__ = __call__ = __copy__ = __deepcopy__ = _any_result

    def __setitem__(self, key, value):
        pass

    def __delitem__(self, key):
        pass
