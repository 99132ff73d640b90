"""Unary and binary elementwise operations, scalars, promotion, in-place forms."""

from ._shapes import FEW, SHAPES, b, fill, i, t

UNARY = """abs absolute exp log relu sigmoid tanh sqrt rsqrt sin cos tan neg floor ceil round trunc sign square reciprocal erf erfc
expm1 log1p log2 log10 sinh cosh asin acos atan asinh atanh isnan isinf isfinite logical_not frac exp2 sgn positive deg2rad rad2deg lgamma digamma
nan_to_num clone detach""".split()
BINARY = """add sub mul div true_divide floor_divide remainder fmod pow maximum minimum atan2 eq ne lt le gt ge greater less
logical_and logical_or logical_xor hypot fmax fmin multiply subtract divide""".split()
BITS = "bitwise_and bitwise_or bitwise_xor".split()
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">="]
PAIRS = [((), ()), ((3,), ()), ((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 3), (2,)), ((2, 3), (4, 3)), ((0, 3), (1, 3)), ((0, 3), (2, 3)),
         ((2, 1, 4), (3, 1)), ((2, 3, 4), (2, 3, 4)), ((5,), (4,)), ((1,), (0,)), ((2, 3, 4), (3, 5)), ((1, 2, 1, 2, 1), (2, 1, 3)), ((8, 1), (8,))]


def rows():
    for name in UNARY:
        yield f"torch.{name}({i(2, 3)})" if name not in ("detach",) else f"{i(2)}.detach()"
        for shape in FEW + [(1, 2, 1, 2, 1, 2)]:
            yield f"{t(*shape)}.{name}()"
        if name not in ("detach",):
            yield f"torch.{name}({t(2, 3)})"
        if name not in ("detach", "sign", "neg"):
            yield f"{b(2)}.{name}()"
    for name in "relu_ sigmoid_ tanh_ exp_ sqrt_ neg_ zero_ abs_ floor_".split():
        for shape in [(), (2, 3)]:
            yield f"{t(*shape)}.{name}()"
    for name in BINARY:
        for left, right in PAIRS:
            yield f"torch.{name}({t(*left)}, {t(*right)})"
        yield f"{t(2, 3)}.{name}({t(3)})"
        yield f"{t(2, 3)}.{name}({i(4)})"
        yield f"torch.{name}({i(2, 3)}, {i(3)} + 1)"
        yield f"torch.{name}({i(2, 3)}, {t(3)})"
    for name in BITS:
        for left, right in PAIRS[:8]:
            yield f"torch.{name}({i(*left)}, {i(*right)})"
            yield f"{b(*left)}.{name}({b(*right)})"
        yield f"torch.{name}({t(2)}, {t(2)})"
    for op in OPERATORS:
        for left, right in PAIRS:
            yield f"{t(*left)} {op} {t(*right)}"
        for row in fill([f"{t(2, 3)} {op} 2", f"2 {op} {t(2, 3)}", f"{i(2, 3)} {op} 2.5", f"{i(2)} {op} 2", f"{t()} {op} {i(3)}", f"{i(2)} {op} {t()}",
                         f"{t(2, 3)} {op} {b(3)}", f"{t(0)} {op} 1.5"]):
            yield row
    for op in ["&", "|", "^"]:
        for left, right in PAIRS:
            yield f"{b(*left)} {op} {b(*right)}"
        yield f"{i(2)} {op} {b(2)}"
        yield f"{i(2)} {op} 1"
        yield f"{t(2)} {op} {t(2)}"
    for shape in FEW:
        yield f"~{b(*shape)}"
        yield f"~{i(*shape)}"
        yield f"-{t(*shape)}"
        yield f"abs({t(*shape)})"
    for name in "add_ sub_ mul_ div_ pow_".split():
        for left, right in PAIRS:
            yield f"{t(*left)}.{name}({t(*right)})"
        yield f"{t(2, 3)}.{name}(2)"
        yield f"{i(2, 3)}.{name}({t(3)})"
    for name in "__iadd__ __imul__ __isub__".split():
        for left, right in PAIRS[:8]:
            yield f"{t(*left)}.{name}({t(*right)})"
    for condition, left, right in [((2, 3), (2, 3), (2, 3)), ((3,), (2, 3), (2, 1)), ((4,), (2, 3), (2, 3)), ((), (3,), (3,)), ((2, 1), (3,), ()), ((2,), (3,), (1,)),
                                   ((0,), (1,), (1,)), ((2, 1, 1), (3, 1), (4,))]:
        yield f"torch.where({b(*condition)}, {t(*left)}, {t(*right)})"
        yield f"{t(*left)}.where({b(*condition)}, {t(*right)})"
        yield f"{t(*left)}.masked_fill({b(*condition)}, 0.0)"
        yield f"{t(*left)}.masked_fill_({b(*condition)}, 0.0)"
        yield f"torch.masked_fill({t(*left)}, {b(*condition)}, 1)"
    for shape in SHAPES:
        yield f"{t(*shape)}.clamp(0, 1)"
        yield f"torch.clamp({t(*shape)}, min=0)"
        yield f"{t(*shape)}.clamp_(max=1.0)"
        yield f"{t(*shape)}.clip(0.0, 1.0)"
        yield f"{t(*shape)}.float()"
        yield f"{t(*shape)}.long()"
        yield f"{t(*shape)}.to(torch.float64)"
        yield f"{t(*shape)}.type_as({i(2)})"
        yield f"{t(*shape)}.fill_(3.0)"
    for name in "double half bool int byte short char cpu contiguous numpy_".split()[:-1]:
        yield f"{t(2, 3)}.{name}()"
        yield f"{i()}.{name}()"
    for row in ["t(2, 3).to('cpu')", "t(2, 3).to(i(1))", "t(2).to('cpu', torch.float16)", "t(2).to(dtype=torch.int32)", "t(2).type(torch.int64)", "t(2, 3).requires_grad_()",
                "t(2, 3).is_floating_point()", "i(2, 3).is_floating_point()", "torch.is_tensor(t(2))", "torch.is_tensor(3)", "t(2).copy_(t(2))", "t(2, 3).copy_(t(3))",
                "t(3).copy_(t(2, 3))", "t(2, 3).copy_(t(4))", "t(2).bernoulli_(0.5)", "t(2, 3).normal_()", "t(2, 3).uniform_(-1, 1)", "t(2, 3).random_(3)", "t(2).item()", "i(1).item()",
                "i(1, 1).item()", "i().item()", "t(0).item()", "i(2).tolist()", "i(2, 1).tolist()", "i().tolist()", "len(t(2, 3))", "len(t())", "bool(i(1))", "bool(i(2))", "int(i(1, 1))", "int(i(3))"]:
        yield row
    for left, middle, right in [((2, 3), (2, 3), (3,)), ((3,), (2, 1), (1, 3)), ((2,), (3,), (1,)), ((), (2,), (2,)), ((2, 3), (4,), (1,))]:
        for name in "addcmul addcdiv lerp".split():
            yield f"torch.{name}({t(*left)}, {t(*middle)}, {t(*right)})"
        yield f"{t(*left)}.addcmul({t(*middle)}, {t(*right)}, value=2)"
    for left, right in PAIRS:
        yield f"torch.allclose({t(*left)}, {t(*right)})" if left == right else f"torch.isclose({t(*left)}, {t(*right)})"
        yield f"torch.equal({i(*left)}, {i(*right)})"
        yield f"torch.broadcast_tensors({t(*left)}, {t(*right)})"
        yield f"torch.lerp({t(*left)}, {t(*right)}, 0.5)"
