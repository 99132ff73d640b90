"""`operator`: the operators as functions."""

from _pytrope import unknown


def add(a, b, /):
    return a + b


def sub(a, b, /):
    return a - b


def mul(a, b, /):
    return a * b


def truediv(a, b, /):
    return a / b


def floordiv(a, b, /):
    return a // b


def mod(a, b, /):
    return a % b


def pow(a, b, /):
    return a**b


def matmul(a, b, /):
    return a @ b


def lshift(a, b, /):
    return a << b


def rshift(a, b, /):
    return a >> b


def and_(a, b, /):
    return a & b


def or_(a, b, /):
    return a | b


def xor(a, b, /):
    return a ^ b


def lt(a, b, /):
    return a < b


def le(a, b, /):
    return a <= b


def eq(a, b, /):
    return a == b


def ne(a, b, /):
    return a != b


def gt(a, b, /):
    return a > b


def ge(a, b, /):
    return a >= b


def is_(a, b, /):
    return a is b


def is_not(a, b, /):
    return a is not b


def neg(a, /):
    return -a


def pos(a, /):
    return +a


def invert(a, /):
    return ~a


def not_(a, /):
    return not a


def truth(a, /):
    return bool(a)


def abs(a, /):
    return a.__abs__()


def contains(a, b, /):
    return b in a


def getitem(a, b, /):
    return a[b]


def setitem(a, b, c, /):
    a[b] = c


def delitem(a, b, /):
    del a[b]


def concat(a, b, /):
    return a + b


def length_hint(obj, default=0, /):
    return unknown("operator.length_hint")


def index(a, /):
    if isinstance(a, int):
        return a
    return unknown("operator.index asks its argument")


def itemgetter(item, /, *items):
    if items:
        return lambda obj: tuple(obj[i] for i in (item, *items))
    return lambda obj: obj[item]


def attrgetter(attr, /, *attrs):
    if attrs or "." in attr:
        return unknown("operator.attrgetter of several attributes")
    return lambda obj: getattr(obj, attr)


def methodcaller(name, /, *args, **kwargs):
    return lambda obj: getattr(obj, name)(*args, **kwargs)
