"""`scipy.interpolate`: functions through points along one axis, and on grids."""

from _pytrope import has_rank, is_constant, is_unknown, require, shape_of, unknown

from ._arguments import ranked_arg, untyped


class _Along:
    """A function through points: the axis that they lie along is replaced by the shape of what is asked for."""

    def __init__(self, x, y, axis=0, *args, **options):
        self._pytrope_fit(x, y, axis)

    def _pytrope_fit(self, x, y, axis):
        x, y = ranked_arg(x), ranked_arg(y)
        self._pytrope_around = unknown("the shape of values that are not known")
        if is_unknown(x) or is_unknown(y) or not is_constant(axis) or not isinstance(axis, int):
            return
        shape = shape_of(y)
        require(
            len(shape_of(x)) == 1,
            ValueError,
            f"{type(self).__name__} takes points of one axis, not shape {shape_of(x)}",
            rule="shape-argument",
        )
        if axis < -len(shape) or axis >= len(shape):
            return
        axis = axis + len(shape) if axis < 0 else axis
        require(
            shape[axis] == shape_of(x)[0],
            ValueError,
            f"{type(self).__name__}: {shape_of(x)[0]} points, but values of shape {shape} along axis {axis}",
            rule="shape-argument",
        )
        self._pytrope_around = (shape[:axis], shape[axis + 1 :])

    def __getattr__(self, name):
        return unknown("a part of an interpolation that is not modelled")

    def __call__(self, x, *args, **options):
        new = ranked_arg(x)
        if is_unknown(new) or is_unknown(self._pytrope_around) or len(args) > 0:
            return unknown("values between unknown points")
        before, after = self._pytrope_around
        return untyped(before + shape_of(new) + after)


class interp1d(_Along):
    def __init__(
        self, x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=None, assume_sorted=False
    ):
        self._pytrope_fit(x, y, axis)


class CubicSpline(_Along):
    def __init__(self, x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
        self._pytrope_fit(x, y, axis)


class PchipInterpolator(_Along):
    pass


class Akima1DInterpolator(_Along):
    pass


class UnivariateSpline:
    """A spline through values of one axis."""

    def __init__(self, x, y, w=None, bbox=None, k=3, s=None, ext=0, check_finite=False):
        pass

    def __getattr__(self, name):
        return unknown("a part of a spline that is not modelled")

    def __call__(self, x, nu=0, ext=None):
        new = ranked_arg(x)
        return unknown("values of a spline") if is_unknown(new) or nu != 0 else untyped(shape_of(new))


class InterpolatedUnivariateSpline(UnivariateSpline):
    pass


class RegularGridInterpolator:
    """Values on a grid: a point for each size of the first axes."""

    def __init__(self, points, values, method="linear", bounds_error=True, fill_value=None, **options):
        values = ranked_arg(values)
        if is_unknown(values) or not isinstance(points, (tuple, list)) or not has_rank(points):
            return
        shape = shape_of(values)
        require(
            len(points) <= len(shape),
            ValueError,
            f"a grid of {len(points)} axes does not fit values of shape {shape}",
            rule="shape-argument",
        )
        for axis, one in enumerate(points):
            one = ranked_arg(one)
            if not is_unknown(one) and len(shape_of(one)) == 1:
                require(
                    shape_of(one)[0] == shape[axis],
                    ValueError,
                    f"{shape_of(one)[0]} points do not fit axis {axis} of values of shape {shape}",
                    rule="shape-argument",
                )

    def __getattr__(self, name):
        return unknown("a part of an interpolation that is not modelled")

    def __call__(self, xi, method=None, **options):
        return unknown("values on a grid")
