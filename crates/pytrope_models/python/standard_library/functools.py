"""`functools`: partial application, folding, caches that change nothing."""

from _pytrope import closed_world, unknown

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__")
WRAPPER_UPDATES = ("__dict__",)

# These decorators build things that only running shows.
singledispatch = unknown("functools.singledispatch")
singledispatchmethod = unknown("functools.singledispatchmethod")
total_ordering = unknown("functools.total_ordering")
cmp_to_key = unknown("functools.cmp_to_key")
partialmethod = unknown("functools.partialmethod")


class partial:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


def reduce(function, iterable, /, *initial):
    items = list(iterable)
    if initial:
        result = initial[0]
    else:
        if not items:
            raise TypeError("reduce() of empty iterable with no initial value")
        result = items.pop(0)
    for item in items:
        result = function(result, item)
    return result


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    # What the wrapped object lacks is not copied: it may be any object.
    wrapper.__name__ = getattr(wrapped, "__name__", wrapper.__name__)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)


def lru_cache(maxsize=128, typed=False):
    # What others do to the cached function is not known, unless there are no others.
    if not closed_world():
        return unknown("functools.lru_cache")
    return _cached if maxsize is None or isinstance(maxsize, int) else _cached(maxsize)


def cache(user_function, /):
    return _cached(user_function) if closed_world() else unknown("functools.cache")


def _cached(user_function):
    """A call gives what the function gave for these arguments, which is what it gives again."""
    user_function.cache_clear = unknown("the cache of a function")
    user_function.cache_info = unknown("the cache of a function")
    return user_function


class cached_property:
    def __init__(self, func):
        self.func = func

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return self.func(instance)
