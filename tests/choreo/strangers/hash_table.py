from enum import Enum
from typing import Any

from pytrope.choreo import At, Ch3, Channel, Role


class U(Role): ...


class N1(Role): ...


class N2(Role): ...


class Where(Enum):
    HERE = "here"
    THERE = "there"


class Dht(Ch3[U, N1, N2]):
    def __init__(self, u1: Channel[Any, U, N1], u2: Channel[Any, U, N2]) -> None:
        self.u1, self.u2 = u1, u2
        self.d1: At[dict[str, Any], N1] = dict()
        self.d2: At[dict[str, Any], N2] = dict()

    def put(self, key: At[str, U], value: At[Any, U]) -> None:
        if len(key) % 2 == 0:
            self.u1.select(Where.HERE @ U())
            self.u2.select(Where.THERE @ U())
            k, v = self.u1.com((key, value))
            self.d1[k] = v
        else:
            self.u1.select(Where.THERE @ U())
            self.u2.select(Where.HERE @ U())
            k2, v2 = self.u2.com((key, value))
            self.d2[k2] = v2

    def get(self, key: At[str, U]) -> At[Any, U]:
        if len(key) % 2 == 0:
            self.u1.select(Where.HERE @ U())
            self.u2.select(Where.THERE @ U())
            return self.u1.com(self.d1.get(self.u1.com(key), "missing"))
        self.u1.select(Where.THERE @ U())
        self.u2.select(Where.HERE @ U())
        return self.u2.com(self.d2.get(self.u2.com(key), "missing"))

    def run(self, items: At[dict[str, int], U]) -> At[list[Any], U]:
        out: At[list[Any], U] = []
        for name in ("a", "bb", "ccc"):
            self.put(name @ U(), items.get(name, 0))
        for name in ("bb", "a", "zz"):
            out.append(self.get(name @ U()))
        return out


# run: Dht.run U.items="{'a': 1, 'bb': 2}"
