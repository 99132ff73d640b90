"""Functions of the program that pandas calls for each element, column or row."""

from _pytrope import call_back, has_rank, havoc, is_unknown, parameters_of, proved, unknown


def try_function(function, count, args, kwargs):
    """A function is called at least once where there is something, with one part and what is given besides."""
    listed = None if is_unknown(function) or isinstance(function, (str, type, dict, list)) else parameters_of(function)
    if listed is None or is_unknown(listed) or is_unknown(count) or not proved(count > 0):
        return
    if not is_unknown(args) and isinstance(args, tuple) and has_rank(args):
        call_back(function, unknown("an element, a column or a row"), *args, **kwargs)
        havoc(function)
