"""`scipy.integrate`: solutions of differential equations, whose right-hand sides are run once.

A name that is not here is Unknown.
"""

from _pytrope import (
    array,
    call_back,
    has_rank,
    havoc,
    is_array,
    is_constant,
    is_unknown,
    require,
    shape_of,
    some,
    unknown,
)

from _open import OpenOperators

from numpy import ndarray

from ._arguments import ranked_arg


class OdeResult(OpenOperators):
    """A solution: the times and the states at them."""

    def __init__(self, t, y):
        self.t = t
        self.y = y

    def __getattr__(self, name):
        return unknown("a part of a solution that is not modelled")


def state_of(y0):
    """A state that a right-hand side is given; Unknown where the number of its parts is not known."""
    start = ranked_arg(y0)
    if is_unknown(start) or len(shape_of(start)) > 1:
        return unknown("a state")
    return array(ndarray, (1,) if len(shape_of(start)) == 0 else shape_of(start), "float64")


def arguments_of(args):
    """Further arguments as a tuple; Unknown if their number is not known."""
    if is_unknown(args) or args is None:
        return () if args is None else args
    if not isinstance(args, tuple):
        return (args,)
    return args if has_rank(args) else unknown("arguments")


def odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, *options, tfirst=False, **named):
    state, more, times = state_of(y0), arguments_of(args), ranked_arg(t)
    if is_unknown(state) or is_unknown(more) or not is_constant(tfirst):
        return unknown("a solution")
    moment = some(float)
    change = call_back(func, moment, state, *more) if tfirst else call_back(func, state, moment, *more)
    havoc(func)
    same_size(change, state, RuntimeError)
    if is_unknown(times) or len(shape_of(times)) != 1 or full_output not in (0, False):
        return unknown("a solution")
    return array(ndarray, shape_of(times) + shape_of(state), "float64")


def solve_ivp(
    fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, **options
):
    state, more = state_of(y0), arguments_of(args)
    if is_unknown(state) or is_unknown(more) or vectorized is not False:
        return unknown("a solution")
    same_size(call_back(fun, some(float), state, *more), state, ValueError)
    havoc(fun)
    times = unknown("times") if t_eval is None else ranked_arg(t_eval)
    return OdeResult(times, unknown("states"))


def same_size(change, state, error):
    """A change has as many parts as the state."""
    given = ranked_arg(change)
    if is_unknown(given) or not is_array(given, ndarray) or len(shape_of(given)) != 1 or len(shape_of(state)) != 1:
        return
    have, need = shape_of(given)[0], shape_of(state)[0]
    if is_constant(have) and is_constant(need) and have != 1 and need != 1:
        require(have == need, error, f"a state of {need} parts changes by {have}", rule="shape-argument")


def quad(func, a, b, args=(), **options):
    more = arguments_of(args)
    if not is_unknown(func) and not is_unknown(more):
        call_back(func, some(float), *more)
        havoc(func)
    return unknown("an integral and its error")


def __getattr__(name):
    return unknown(name)
