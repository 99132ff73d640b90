"""The `math` module: exact on constants, a float or an int otherwise."""

from _pytrope import compute, is_constant, some, unknown

pi = 3.141592653589793
e = 2.718281828459045
tau = 6.283185307179586
inf = float("inf")
nan = float("nan")


def sqrt(x, /):
    if is_constant(x):
        return compute("math.sqrt", x)
    return some(float)


def cbrt(x, /):
    if is_constant(x):
        return compute("math.cbrt", x)
    return some(float)


def exp(x, /):
    if is_constant(x):
        return compute("math.exp", x)
    return some(float)


def exp2(x, /):
    if is_constant(x):
        return compute("math.exp2", x)
    return some(float)


def expm1(x, /):
    if is_constant(x):
        return compute("math.expm1", x)
    return some(float)


def log2(x, /):
    if is_constant(x):
        return compute("math.log2", x)
    return some(float)


def log10(x, /):
    if is_constant(x):
        return compute("math.log10", x)
    return some(float)


def log1p(x, /):
    if is_constant(x):
        return compute("math.log1p", x)
    return some(float)


def sin(x, /):
    if is_constant(x):
        return compute("math.sin", x)
    return some(float)


def cos(x, /):
    if is_constant(x):
        return compute("math.cos", x)
    return some(float)


def tan(x, /):
    if is_constant(x):
        return compute("math.tan", x)
    return some(float)


def asin(x, /):
    if is_constant(x):
        return compute("math.asin", x)
    return some(float)


def acos(x, /):
    if is_constant(x):
        return compute("math.acos", x)
    return some(float)


def atan(x, /):
    if is_constant(x):
        return compute("math.atan", x)
    return some(float)


def sinh(x, /):
    if is_constant(x):
        return compute("math.sinh", x)
    return some(float)


def cosh(x, /):
    if is_constant(x):
        return compute("math.cosh", x)
    return some(float)


def tanh(x, /):
    if is_constant(x):
        return compute("math.tanh", x)
    return some(float)


def asinh(x, /):
    if is_constant(x):
        return compute("math.asinh", x)
    return some(float)


def acosh(x, /):
    if is_constant(x):
        return compute("math.acosh", x)
    return some(float)


def atanh(x, /):
    if is_constant(x):
        return compute("math.atanh", x)
    return some(float)


def fabs(x, /):
    if is_constant(x):
        return compute("math.fabs", x)
    return some(float)


def degrees(x, /):
    if is_constant(x):
        return compute("math.degrees", x)
    return some(float)


def radians(x, /):
    if is_constant(x):
        return compute("math.radians", x)
    return some(float)


def gamma(x, /):
    return some(float)


def lgamma(x, /):
    return some(float)


def erf(x, /):
    return some(float)


def erfc(x, /):
    return some(float)


def atan2(y, x, /):
    if is_constant((y, x)):
        return compute("math.atan2", y, x)
    return some(float)


def copysign(x, y, /):
    if is_constant((x, y)):
        return compute("math.copysign", x, y)
    return some(float)


def pow(x, y, /):
    if is_constant((x, y)):
        return compute("math.pow", x, y)
    return some(float)


def fmod(x, y, /):
    if is_constant((x, y)):
        return compute("math.fmod", x, y)
    return some(float)


def remainder(x, y, /):
    return some(float)


def isnan(x, /):
    if is_constant(x):
        return compute("math.isnan", x)
    return some(bool)


def isinf(x, /):
    if is_constant(x):
        return compute("math.isinf", x)
    return some(bool)


def isfinite(x, /):
    if is_constant(x):
        return compute("math.isfinite", x)
    return some(bool)


def log(x, /, *base):
    if is_constant((x, base)):
        return compute("math.log", x, *base)
    return some(float)


def hypot(*coordinates):
    if len(coordinates) == 2 and is_constant(coordinates):
        return compute("math.hypot", *coordinates)
    return some(float)


def dist(p, q, /):
    return some(float)


def fsum(seq, /):
    return some(float)


def ldexp(x, i, /):
    return some(float)


def frexp(x, /):
    return some(float), some(int)


def modf(x, /):
    return some(float), some(float)


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return some(bool)


def prod(iterable, /, *, start=1):
    result = start
    for item in iterable:
        result = result * item
    return result


def floor(x, /):
    if is_constant(x):
        return compute("math.floor", x)
    if isinstance(x, int):
        return x
    if isinstance(x, float):
        return some(int)
    return unknown("math.floor asks its argument")


def ceil(x, /):
    if is_constant(x):
        return compute("math.ceil", x)
    if isinstance(x, int):
        return x
    if isinstance(x, float):
        return some(int)
    return unknown("math.ceil asks its argument")


def trunc(x, /):
    if is_constant(x):
        return compute("math.trunc", x)
    if isinstance(x, int):
        return x
    if isinstance(x, float):
        return some(int)
    return unknown("math.trunc asks its argument")


def gcd(*integers):
    if is_constant(integers):
        return compute("math.gcd", *integers)
    return some(int)


def lcm(*integers):
    if is_constant(integers):
        return compute("math.lcm", *integers)
    return some(int)


def factorial(n, /):
    if is_constant(n):
        return compute("math.factorial", n)
    return some(int)


def isqrt(n, /):
    if is_constant(n):
        return compute("math.isqrt", n)
    return some(int)


def comb(n, k, /):
    if is_constant((n, k)):
        return compute("math.comb", n, k)
    return some(int)


def perm(n, k=None, /):
    if is_constant((n, k)) and k is not None:
        return compute("math.perm", n, k)
    return some(int)


nextafter = unknown("math.nextafter")
ulp = unknown("math.ulp")
sumprod = unknown("math.sumprod")
fma = unknown("math.fma")
fmax = unknown("math.fmax")
fmin = unknown("math.fmin")
isnormal = unknown("math.isnormal")
issubnormal = unknown("math.issubnormal")
signbit = unknown("math.signbit")
integer = unknown("math.integer")

# Every name that any version of Python has is above.
__complete__ = True
