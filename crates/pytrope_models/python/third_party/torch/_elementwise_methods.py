"""The methods of Tensor on each element, and its operators."""

from _pytrope import dtype_of, is_unknown, require

from ._elementwise import angle as angle_of_two
from ._elementwise import (
    _where_method,
    absolute,
    add,
    addcmul,
    addcmul_,
    allclose,
    argument_of_complex,
    bits,
    bitwise_not,
    ceil,
    changed,
    changed_number,
    changed_real,
    clamp,
    clamp_,
    clamp_max,
    clamp_max_,
    clamp_min,
    clamp_min_,
    clone,
    comparison,
    copy_,
    detach,
    division,
    dtype_is_integral,
    eq,
    equal,
    exp,
    filled_at_random,
    float_power,
    floats_of_two,
    floor,
    floor_divide,
    frac,
    gamma_of_two,
    ge,
    gt,
    heaviside,
    hypot,
    in_place,
    in_place_bits,
    in_place_difference,
    in_place_division,
    in_place_floats,
    in_place_logical,
    in_place_whole,
    infinity_of_sign,
    is_same_size,
    isclose,
    le,
    lerp,
    lerp_,
    log,
    log2,
    logical_of_two,
    lt,
    masked_fill,
    maximum,
    minimum,
    mul,
    multiplied_by_power,
    nan_to_num,
    ne,
    neg,
    negative_sign,
    next_after,
    number,
    ordered_sign,
    positive,
    power,
    real,
    real_only,
    remainder,
    rounded,
    same,
    shifted,
    shifted_bits,
    sqrt,
    square,
    subtract,
    test,
    trunc,
    where,
    whole,
    whole_of_two,
)


class Elementwise:
    """Methods of Tensor on each element, and its operators."""

    abs = absolute = absolute
    sgn = same
    sign = ordered_sign
    positive = positive
    angle = argument_of_complex
    trunc = fix = trunc
    floor = floor
    ceil = ceil
    relu = number
    round = rounded
    frac = frac
    neg = negative = neg
    square = square
    nan_to_num = nan_to_num
    clone = clone
    detach = detach
    conj = conj_physical = resolve_conj = same
    exp = exp
    log = log
    sqrt = sqrt
    log2 = log2
    sigmoid = tanh = rsqrt = sin = cos = tan = reciprocal = real
    expm1 = log1p = log10 = sinh = cosh = asin = acos = atan = asinh = acosh = atanh = exp2 = real
    arcsin = arccos = arctan = arcsinh = arccosh = arctanh = sinc = real
    erf = erfc = erfinv = deg2rad = rad2deg = lgamma = digamma = logit = i0 = real_only
    isnan = isinf = isfinite = logical_not = isreal = test
    signbit = negative_sign
    isposinf = isneginf = infinity_of_sign
    bitwise_not = bitwise_not

    add = add
    mul = multiply = mul
    maximum = fmax = maximum
    minimum = fmin = minimum
    sub = subtract = subtract
    div = divide = true_divide = division
    floor_divide = floor_divide
    remainder = remainder
    fmod = whole
    pow = power
    float_power = float_power
    atan2 = arctan2 = angle_of_two
    hypot = hypot
    eq = eq
    ne = not_equal = ne
    lt = less = lt
    le = less_equal = le
    gt = greater = gt
    ge = greater_equal = ge
    logical_and = logical_or = logical_xor = logical_of_two
    bitwise_and = bitwise_or = bitwise_xor = bits
    isclose = isclose
    allclose = allclose
    equal = equal
    lerp = lerp
    addcmul = addcdiv = addcmul
    where = _where_method
    masked_fill = masked_fill
    clamp = clip = clamp
    clamp_min = clamp_min
    clamp_max = clamp_max
    heaviside = heaviside
    copysign = xlogy = floats_of_two
    igamma = igammac = gamma_of_two
    nextafter = next_after
    ldexp = multiplied_by_power
    gcd = lcm = whole_of_two
    bitwise_left_shift = bitwise_right_shift = shifted_bits
    is_same_size = is_same_size

    abs_ = absolute_ = neg_ = negative_ = floor_ = ceil_ = round_ = trunc_ = fix_ = changed_number
    relu_ = changed_number
    sign_ = sgn_ = zero_ = square_ = detach_ = nan_to_num_ = logical_not_ = conj_physical_ = changed
    normal_ = uniform_ = log_normal_ = filled_at_random
    random_ = bernoulli_ = fill_diagonal_ = changed
    eq_ = ne_ = lt_ = le_ = gt_ = ge_ = in_place_logical
    not_equal_ = less_ = less_equal_ = greater_ = greater_equal_ = in_place_logical
    bitwise_and_ = bitwise_or_ = bitwise_xor_ = in_place_bits
    atan2_ = arctan2_ = copysign_ = xlogy_ = in_place_floats
    nextafter_ = in_place
    lerp_ = lerp_
    addcmul_ = addcdiv_ = addcmul_
    clamp_ = clip_ = clamp_
    clamp_min_ = clamp_min_
    clamp_max_ = clamp_max_
    exp_ = sqrt_ = sigmoid_ = tanh_ = log_ = rsqrt_ = sin_ = cos_ = erf_ = reciprocal_ = erfinv_ = changed_real
    acos_ = asin_ = atan_ = arccos_ = arcsin_ = arctan_ = acosh_ = asinh_ = atanh_ = tan_ = cosh_ = sinh_ = changed_real
    erfc_ = exp2_ = expm1_ = log10_ = log1p_ = log2_ = deg2rad_ = rad2deg_ = logit_ = sinc_ = lgamma_ = changed_real
    digamma_ = i0_ = changed_real
    add_ = mul_ = multiply_ = pow_ = in_place
    sub_ = subtract_ = in_place_difference
    remainder_ = fmod_ = floor_divide_ = in_place_whole
    logical_and_ = logical_or_ = logical_xor_ = in_place_logical
    div_ = divide_ = true_divide_ = in_place_division
    copy_ = copy_

    def __add__(self, other):
        return add(self, other)

    def __radd__(self, other):
        return add(other, self)

    def __sub__(self, other):
        return subtract(self, other)

    def __rsub__(self, other):
        return subtract(other, self)

    def __mul__(self, other):
        return mul(self, other)

    def __rmul__(self, other):
        return mul(other, self)

    def __truediv__(self, other):
        return division(self, other)

    def __rtruediv__(self, other):
        return division(other, self)

    def __floordiv__(self, other):
        return floor_divide(self, other)

    def __rfloordiv__(self, other):
        return floor_divide(other, self)

    def __mod__(self, other):
        return remainder(self, other)

    def __rmod__(self, other):
        return remainder(other, self)

    def __pow__(self, other):
        return power(self, other)

    def __rpow__(self, other):
        return power(other, self)

    def __and__(self, other):
        return bits(self, other)

    def __rand__(self, other):
        return bits(other, self)

    def __or__(self, other):
        return bits(self, other)

    def __ror__(self, other):
        return bits(other, self)

    def __xor__(self, other):
        return bits(self, other)

    def __rxor__(self, other):
        return bits(other, self)

    def __lshift__(self, other):
        return shifted(self, other)

    def __rshift__(self, other):
        return shifted(self, other)

    def __invert__(self):
        if not is_unknown(dtype_of(self)):
            require(dtype_is_integral(dtype_of(self)), TypeError, "~ needs an integer or bool tensor")
        return bitwise_not(self)

    def __neg__(self):
        return neg(self)

    def __pos__(self):
        return same(self)

    def __abs__(self):
        return absolute(self)

    def __eq__(self, other):
        return eq(self, other) if is_comparable(other) else False

    def __ne__(self, other):
        return ne(self, other) if is_comparable(other) else True

    def __lt__(self, other):
        return lt(self, other)

    def __le__(self, other):
        return le(self, other)

    def __gt__(self, other):
        return gt(self, other)

    def __ge__(self, other):
        return ge(self, other)

    def __iadd__(self, other):
        return in_place(self, other)

    def __isub__(self, other):
        return in_place_difference(self, other)

    def __imul__(self, other):
        return in_place(self, other)

    def __itruediv__(self, other):
        return in_place_division(self, other)

    def __ifloordiv__(self, other):
        return in_place_whole(self, other)

    def __imod__(self, other):
        return in_place_whole(self, other)

    def __ipow__(self, other):
        return in_place(self, other)

    def __iand__(self, other):
        return in_place(self, other)

    def __ior__(self, other):
        return in_place(self, other)

    def __ixor__(self, other):
        return in_place(self, other)


def is_comparable(other):
    """`==` with something that is no tensor and no number is plain inequality of objects."""
    return not (other is None or isinstance(other, (str, list, tuple, dict)))
