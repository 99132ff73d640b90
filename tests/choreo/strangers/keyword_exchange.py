from pytrope.choreo import At, Ch2, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


P, G = 23, 5


class DH(Ch2[Alice, Bob]):
    def __init__(self, ch: Channel[int, Alice, Bob], /) -> None:
        self.ch = ch

    def exchange(
        self, *, a: At[int, Alice], b: At[int, Bob], p: int = P, g: int = G
    ) -> tuple[At[int, Alice], At[int, Bob]]:
        big_b = self.ch.com(pow(g, b, p))
        big_a = self.ch.com(pow(g, a, p))
        return pow(big_b, a, p), pow(big_a, b, p)

    def again(self, a: At[int, Alice], b: At[int, Bob]) -> tuple[At[int, Alice], At[int, Bob]]:
        x, y = self.exchange(b=b, a=a)
        return x, y


# run: DH.again Alice.a=6 Bob.b=15
