"""torch.nn.modules.utils: numbers repeated to tuples."""

from _pytrope import is_unknown, unknown


def _ntuple(n, name="parse"):
    def parse(x):
        if is_unknown(x):
            return unknown("one number or several")
        if isinstance(x, (tuple, list)):
            return tuple(x)
        return (x,) * n

    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    return tuple([x for x in reversed(t) for _ in range(n)])
