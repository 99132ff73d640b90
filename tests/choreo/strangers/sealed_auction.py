"""A second-price auction with sealed bids."""

from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Result(Enum):
    WON = 1
    LOST = 2


class Vickrey(Ch3[A, B, C]):
    """C is the auctioneer; the winner pays the second price."""

    def __init__(self, ac: Channel[object, A, C], bc: Channel[object, B, C]) -> None:
        self.ac, self.bc = ac, bc

    def run(self, a: At[int, A], b: At[int, B]) -> tuple[At[int, A], At[int, B]]:
        bid_a = self.ac.com(a)
        bid_b = self.bc.com(b)
        second: At[int, C] = min(bid_a, bid_b)
        if bid_a > bid_b:
            self.ac.select(Result.WON @ C())
            self.bc.select(Result.LOST @ C())
            return self.ac.com(second), 0
        self.ac.select(Result.LOST @ C())
        self.bc.select(Result.WON @ C())
        return 0, self.bc.com(second)


# run: Vickrey.run A.a=7 B.b=11
