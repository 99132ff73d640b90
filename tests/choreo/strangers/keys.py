from dataclasses import dataclass

from pytrope.choreo import At, Ch, Channel, Role


@dataclass
class Keys[X: Role, Y: Role](Ch[X, Y]):
    mine: At[int, X]
    theirs: At[int, Y]

    @property
    def half(self) -> At[int, X]:
        return self.mine // 2


class Swap[X: Role, Y: Role](Ch[X, Y]):
    def __init__(self, ch: Channel[int, X, Y]) -> None:
        self.ch = ch

    def swap(self, keys: Keys[X, Y]) -> Keys[X, Y]:
        return Keys[X, Y](self.ch.com(keys.theirs), self.ch.com(keys.mine))

    def turned(self, keys: Keys[X, Y]) -> Keys[Y, X]:
        return Keys[Y, X](keys.theirs, keys.mine)

    def run(self, a: At[int, X], b: At[int, Y]) -> tuple[At[int, X], At[int, Y]]:
        keys = self.swap(Keys[X, Y](a, b))
        other = self.turned(keys)
        keys.mine += keys.half
        return keys.mine, other.mine


# run: Swap.run X.a=10 Y.b=20
