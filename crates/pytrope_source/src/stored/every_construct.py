"""Every statement and every expression once, to be written and read again."""
from __future__ import annotations

import os.path, sys as system
from . import sibling as other
from .. import *

type Alias[T: int = int, *Ts, **P] = dict[str, T]
a: int = 1
(b): float
c = d = 0xFFFF_FFFF_FFFF_FFFF_FFFF, -1, ~2, +3, not a, 2.5e300, 3j, 65535, 65536, 2**40, b"\xff\x00", ..., None, True
c += 1; c -= 1; c *= 1; c @= 1; c /= 1; c %= 1; c **= 1; c <<= 1; c >>= 1; c |= 1; c ^= 1; c &= 1; c //= 1
checks = a < 1 <= 2 == 3 != 4 > 5 >= 6 is None is not None in [] not in ()
words = f"{a!r:>{b}} {c = } {d!s} {d!a}" "plain" if a else "long " * 3
template = t"{a}"
picked = [x for x in range(3) if x if not x], {x for x in c}, {x: y for x, y in c}, (x for x in c for y in x)
made = {1: 2, **{}}, {1, 2}, [*c], lambda p, /, q=1, *r, s, t=2, **u: (p, q, r, s, t, u)
x[1:2:3, ...], x.y.z, f(*c, k=1, **made), (w := 3), a and b or c
del x[0], x.y


@decorated(by="this")
async def coroutine[T](p, /, q: int = 1, *r: T, s, t=2, **u: T) -> None:
    """It waits."""
    global a, counter
    async with p as q, r:
        await s
    async for t in u:
        yield t
    else:
        pass
    return


class Thing[T](Base[T], other.Base, metaclass=Meta):
    __hidden = 1

    def __init__(self):
        self.__hidden = 2
        self.shown = 3
        total = []

        def inner():
            nonlocal total
            total.append(1)
            total = yield from inner()

        register(inner)
        assert_raises(ValueError, inner)


while a:
    break
else:
    assert a, "message"
for i, *rest in c:
    continue
if a:
    raise ValueError from None
elif b:
    raise
else:
    globals()["a"] = 1
try:
    pass
except ValueError as error:
    pass
except (TypeError, KeyError):
    pass
else:
    pass
finally:
    pass
try:
    pass
except* OSError:
    pass
match a:
    case None | True:
        pass
    case [1, -2.5, *rest] if a:
        pass
    case {"k": v, **others}:
        pass
    case Thing(1, shown=2) as thing:
        pass
    case [*_]:
        pass
    case _:
        pass
