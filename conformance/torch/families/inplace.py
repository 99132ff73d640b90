"""Methods that write into their tensor: shapes that must broadcast into it, types that must fit, stores by index."""

from itertools import product

from ._shapes import text, t

PLAIN = """abs_ acos_ asin_ atan_ ceil_ cos_ cosh_ erf_ erfc_ exp_ exp2_ expm1_ floor_ frac_ log_ log10_ log1p_ log2_ neg_ reciprocal_ relu_ round_ rsqrt_ sgn_ sigmoid_ sign_ sin_ sinh_ sqrt_ square_ tan_
tanh_ trunc_ zero_ logical_not_ deg2rad_ nan_to_num_ detach_ requires_grad_ normal_ uniform_ random_ exponential_ geometric_ cauchy_ log_normal_ bernoulli_ logit_ sinc_ asinh_ tril_ triu_""".split()
BINARY = "add_ sub_ mul_ div_ pow_ remainder_ fmod_ floor_divide_ atan2_ copysign_ hypot_ eq_ lt_ logical_and_ bitwise_and_ copy_ true_divide_ multiply_ subtract_ divide_ ne_ ge_ xlogy_ lerp_".split()
PAIRS = [((2, 3), (3,)), ((2, 3), (2, 1)), ((3,), (2, 3)), ((2, 3), (4,)), ((1, 3), (2, 3)), ((2, 3), ()), ((), (1,)), ((), (3,)), ((0, 3), (3,)), ((2, 3, 4), (3, 1))]
LETTERS = ["t", "i", "b", "d"]
AUGMENTED = ["+=", "-=", "*=", "/=", "//=", "**=", "%="]
SHAPES = [(3,), (2, 3), (4, 3, 2)]
KEYS = ["0", "-1", "5", ":", "1:", "..., 0", "None", ":, 1", "0, 0", "::2", ":2", "i(2)", "b(3)", "[0, 1]", "..., None", "0, :", "(0,)", "slice(None)", "-4", "1:, 0", "0, 1, 1"]
VALUES = ["1", "2.5", "t()", "t(1)", "t(2)", "t(3)", "t(2, 3)", "i(3)", "d(3)", "t(4)", "t(3, 2)", "True", "None", "[1, 2, 3]"]


def make(letter, shape):
    return f"{letter}({text(shape)})"


def rows():
    for name, letter in product(PLAIN, LETTERS):
        argument = "0.5" if name == "geometric_" else ""
        yield f"{make(letter, (2, 3))}.{name}({argument})"
    for name, (left, right) in product(BINARY, PAIRS):
        more = ", 0.5" if name == "lerp_" else ""
        letters = ("b", "b") if name == "bitwise_and_" else ("t", "t")
        yield f"{make(letters[0], left)}.{name}({make(letters[1], right)}{more})"
    for name, left, right in product(BINARY, LETTERS, LETTERS):
        # A whole quotient by 0 raises: the elements decide.
        if name != "lerp_" and not (name in ("remainder_", "fmod_", "floor_divide_") and right in "ib"):
            yield f"{make(left, (3,))}.{name}({make(right, (3,))})"
    for operator, (left, right) in product(AUGMENTED, PAIRS):
        yield f"x = {t(*left)}; x {operator} {t(*right)}; x"
    for operator, letter, scalar in product(AUGMENTED, LETTERS, ["2", "0.5", "True", "t(3)", "i(3) + 1"]):
        yield f"x = {make(letter, (3,))}; x {operator} {scalar}; x"
    for shape, key, value in product(SHAPES, KEYS, VALUES):
        yield f"x = {t(*shape)}; x[{key}] = {value}; x"
    for shape, key in product(SHAPES, KEYS):
        yield f"x = {t(*shape)}; x[{key}] += 1; x"
        yield f"x = {t(*shape)}; x[{key}] *= t(2); x"
        yield f"x = {t(*shape)}; x[{key}].zero_(); x"
        yield f"x = {t(*shape)}; x[{key}].copy_(t(3)); x"
    for call in ["squeeze_()", "unsqueeze_(0)", "unsqueeze_(3)", "t_()", "transpose_(0, 1)", "transpose_(0, 2)", "clamp_(0, 1)", "clamp_min_(0)", "clamp_max_(1)", "fill_(2)", "fill_(t())", "fill_(t(2))", "fill_diagonal_(1)", "resize_(6)", "index_add_(0, i(2), t(2, 3))",
                 "index_add_(0, i(2), t(3, 3))", "index_copy_(0, i(1), t(1, 3))", "index_copy_(0, i(2), t(1, 3))", "index_fill_(0, i(2), 1)", "index_fill_(1, t(2), 1)", "scatter_(0, i(2, 3), t(2, 3))", "scatter_(1, i(2, 1), 1.0)", "scatter_(0, i(2), t(2))",
                 "scatter_add_(0, i(2, 3), t(2, 3))", "scatter_add_(0, i(3, 4), t(3, 4))", "scatter_add_(1, i(2, 2), t(2, 1))", "masked_fill_(b(2, 3), 1)", "masked_fill_(b(3), 1)", "masked_fill_(i(3), 1)", "masked_fill_(b(4), 1)", "masked_scatter_(b(2, 3), t(6))",
                 "put_(i(2), t(2))", "put_(i(2), t(3))", "index_put_((i(1),), t(3))", "index_put_((i(2), i(2)), t(2))", "index_put_((i(2), i(3)), t(2))", "addmm_(t(2, 4), t(4, 3))", "addmm_(t(2, 4), t(3, 4))", "addcmul_(t(3), t(2, 3))", "addcmul_(t(4), t(2, 3))",
                 "addcdiv_(t(2, 1), t(3))", "addr_(t(2), t(3))", "addr_(t(3), t(2))", "addmv_(t(2, 3), t(3))", "renorm_(2, 0, 1.0)", "swapaxes_(0, 1)", "squeeze_(0)", "set_(t(4))", "apply_(lambda v: v + 1)", "map_(t(2, 3), lambda v, w: v)", "sub_(t(3), alpha=2)", "add_(1, alpha=2)",
                 "mul_('a')", "add_(None)", "div_(2, rounding_mode='floor')", "div_(t(2), rounding_mode='trunc')", "uniform_(0, 1)", "normal_(0, 2)", "random_(0, 5)", "bernoulli_(0.3)", "cumsum_(0)", "cumprod_(5)", "polygamma_(1)", "lerp_(t(2, 3), t(2))", "swapdims_(0, 1)"]:
        yield f"t(2, 3).{call}"
        yield f"i(2, 3).{call}"
