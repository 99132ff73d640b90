"""`copy`: containers and plain instances are copied, numbers and strings are themselves, the rest is Unknown."""

from _pytrope import deep_copy, is_array, is_constant, may_hold, plain_mapping, shallow_copy, unknown


class Error(Exception):
    pass


def copy(x):
    if is_constant(x) and not isinstance(x, (list, dict, set)):
        return x
    if is_array(x):
        return x.__copy__()
    if type(x) is list or type(x) is dict or type(x) is set:
        return x.copy()
    if type(x) is tuple:
        return x
    if plain_mapping(x) is not x:
        return x.copy()
    made = shallow_copy(x)
    if made is not None:
        return made
    return unknown("copy.copy asks its argument")


def deepcopy(x, memo=None):
    if memo is not None:
        may_hold(memo, None)
    return deep_copy(x)
