"""Distributions: what is asked of them is computed for each element, and samples have the size that is asked for."""

from _pytrope import array, broadcast, has_rank, is_constant, is_unknown, require, shape_of, unknown

from _shapes import as_sizes

from numpy import ndarray

from .._arguments import ranked_arg


class _Distribution:
    """A distribution with so many parameters of its own, before `loc` and `scale`; frozen, they are given already."""

    def __init__(self, count, dtype, frozen=None):
        self._pytrope_count = count
        self._pytrope_dtype = dtype
        self._pytrope_frozen = frozen

    def __getattr__(self, name):
        return unknown("a part of a distribution that is not modelled")

    def __call__(self, *args, **options):
        given = list(args) + list(options.values()) if has_rank(args) else unknown("parameters")
        return _Distribution(self._pytrope_count, self._pytrope_dtype, given)

    def freeze(self, *args, **options):
        return self(*args, **options)

    def _pytrope_each(self, x, args, options):
        """One value for each element of what broadcasts together."""
        if not has_rank(args):
            return unknown("values of a distribution")
        given = list(args) + list(options.values())
        if self._pytrope_frozen is not None:
            given = self._pytrope_frozen
        if is_unknown(given):
            return unknown("values of a distribution")
        operands = [ranked_arg(one) for one in [x] + given]
        for one in operands:
            if is_unknown(one):
                return unknown("values of a distribution")
        shape = broadcast(*operands, error=ValueError)
        return unknown("a value of a distribution") if shape == () else array(ndarray, shape, "float64")

    def pdf(self, x, *args, **options):
        return self._pytrope_each(x, args, options)

    def logpdf(self, x, *args, **options):
        return self._pytrope_each(x, args, options)

    def pmf(self, k, *args, **options):
        return self._pytrope_each(k, args, options)

    def logpmf(self, k, *args, **options):
        return self._pytrope_each(k, args, options)

    def cdf(self, x, *args, **options):
        return self._pytrope_each(x, args, options)

    def logcdf(self, x, *args, **options):
        return self._pytrope_each(x, args, options)

    def sf(self, x, *args, **options):
        return self._pytrope_each(x, args, options)

    def ppf(self, q, *args, **options):
        return self._pytrope_each(q, args, options)

    def isf(self, q, *args, **options):
        return self._pytrope_each(q, args, options)

    def rvs(self, *args, **options):
        """Samples; the size stands behind the parameters, or has a name."""
        size = unknown("a size")
        if "size" in options:
            size = options["size"]
        elif has_rank(args):
            place = 0 if self._pytrope_frozen is not None else self._pytrope_count + self._pytrope_places()
            if len(args) > place:
                size = args[place]
        if size is None or is_unknown(size) or (is_constant(size) and size == 1):
            return unknown("samples")
        sizes = as_sizes(size)
        return unknown("samples") if is_unknown(sizes) else array(ndarray, sizes, self._pytrope_dtype)

    def _pytrope_places(self):
        return 2 if self._pytrope_dtype == "float64" else 1


def continuous(count):
    return _Distribution(count, "float64")


def discrete(count):
    return _Distribution(count, "int64")


class _MultivariateNormal:
    """A normal distribution of vectors."""

    def __init__(self, frozen=None):
        self._pytrope_mean = frozen

    def __getattr__(self, name):
        return unknown("a part of a distribution that is not modelled")

    def __call__(self, mean=None, cov=1, *args, **options):
        return _MultivariateNormal(ranked_arg(mean) if mean is not None else unknown("a mean"))

    def rvs(self, *args, **options):
        return unknown("samples of vectors")

    def pdf(self, x, *args, **options):
        return unknown("a density of vectors")


multivariate_normal = _MultivariateNormal()
