"""jax.random: keys, and arrays of random numbers."""

from _pytrope import dtype_of, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._array import new_array


def key_like(key):
    """Requires that the first argument may be a key: no shape, which people give first."""
    require(
        is_unknown(key) or is_array(key) or not isinstance(key, (tuple, list)),
        TypeError,
        "the first argument of a random function is a key, not a shape",
        rule="shape-argument",
    )


def key_array(shape):
    return new_array(shape + (2,), "uint32")


def PRNGKey(seed, **options):
    return key_array(())


def key(seed, **options):
    return key_array(())


def split(key, num=2):
    if is_unknown(num):
        return unknown("keys")
    return key_array(tuple(num) if isinstance(num, (tuple, list)) else (num,))


def fold_in(key, data):
    return key_array(())


def drawn(shape, dtype="float32"):
    if is_unknown(shape):
        return unknown("random numbers of unknown shape")
    if isinstance(shape, int):
        # Some releases take a number for a shape, some do not.
        return unknown("random numbers of unknown shape")
    if not isinstance(shape, (tuple, list)) or not has_rank(shape):
        return unknown("random numbers of unknown shape")
    return new_array(tuple(shape), dtype)


def normal(key, shape=(), dtype=None, **options):
    key_like(key)
    return drawn(shape, "float32" if dtype is None else unknown("a dtype"))


def uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0, **options):
    key_like(key)
    return drawn(shape, "float32" if dtype is None else unknown("a dtype"))


def truncated_normal(key, lower, upper, shape=None, dtype=None, **options):
    key_like(key)
    return unknown("random numbers") if shape is None else drawn(shape)


def exponential(key, shape=(), dtype=None, **options):
    key_like(key)
    return drawn(shape, "float32" if dtype is None else unknown("a dtype"))


laplace = gumbel = cauchy = logistic = exponential


def randint(key, shape, minval, maxval, dtype=None, **options):
    key_like(key)
    return drawn(shape, "int32" if dtype is None else unknown("a dtype"))


def bernoulli(key, p=0.5, shape=None, **options):
    key_like(key)
    return unknown("random numbers") if shape is None else drawn(shape, "bool")


def permutation(key, x, axis=0, independent=False, **options):
    key_like(key)
    if is_array(x):
        return new_array(shape_of(x), dtype_of(x))
    return new_array((x,), "int32") if isinstance(x, int) and is_constant(x) else unknown("a permutation")


def __getattr__(name):
    return unknown(name)
