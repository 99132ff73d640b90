"""torch.utils.checkpoint: the function is called with its arguments."""

from _pytrope import is_unknown, unknown


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=None,
    determinism_check="default",
    debug=False,
    early_stop=True,
    preserve_rng_state=True,
    **kwargs,
):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    if is_unknown(functions):
        return unknown("a sequence of unknown functions")
    for function in functions:
        input = function(input)
    return input
