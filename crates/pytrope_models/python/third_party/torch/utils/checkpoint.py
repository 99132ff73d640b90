"""torch.utils.checkpoint: the function is called with its arguments."""

from _pytrope import call_back, is_unknown, unknown

from .._origin import grad_mode, set_grad_mode


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
    # Whether the result requires a gradient depends on how the function is run again.
    before = grad_mode()
    set_grad_mode(unknown("whether a checkpoint's results require gradients"))
    try:
        result = call_back(function, *args, **kwargs)
    finally:
        set_grad_mode(before)
    return result


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    if is_unknown(functions):
        return unknown("a sequence of unknown functions")
    for function in functions:
        input = function(input)
    return input
