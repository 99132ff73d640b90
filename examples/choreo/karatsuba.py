"""Karatsuba's multiplication over three roles: three products of half the length, one each."""

from enum import Enum

from pytrope.choreo import At, Ch, Channel, On, Role

SMALL = 1 << 16


class Step(Enum):
    SPLIT = "split"
    DONE = "done"


def half_bits(x: int, y: int) -> int:
    return max(x.bit_length(), y.bit_length()) // 2


def low(x: int, bits: int) -> int:
    return x & ((1 << bits) - 1)


def high(x: int, bits: int) -> int:
    return x >> bits


class Karatsuba[A: Role, B: Role, C: Role](Ch[A, B, C]):
    """A multiplies two numbers; B gets the low halves, C the high ones."""

    def __init__(self, ab: Channel[int, A, B], bc: Channel[int, B, C], ca: Channel[int, C, A]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca

    def multiply(self, x: At[int, A], y: At[int, A]) -> At[int, A]:
        if x < SMALL or y < SMALL:
            self.ab.select(Step.DONE @ On[A])
            self.ca.select(Step.DONE @ On[A])
            return x * y
        else:
            self.ab.select(Step.SPLIT @ On[A])
            self.ca.select(Step.SPLIT @ On[A])
            bits: At[int, A] = half_bits(x, y)
            at_b = Karatsuba[B, C, A](self.bc, self.ca, self.ab)
            at_c = Karatsuba[C, A, B](self.ca, self.ab, self.bc)
            lows: At[int, B] = at_b.multiply(self.ab.com(low(x, bits)), self.ab.com(low(y, bits)))
            highs: At[int, C] = at_c.multiply(self.ca.com(high(x, bits)), self.ca.com(high(y, bits)))
            sums: At[int, A] = self.multiply(low(x, bits) + high(x, bits), low(y, bits) + high(y, bits))
            bottom: At[int, A] = self.ab.com(lows)
            top: At[int, A] = self.ca.com(highs)
            return (top << (2 * bits)) + ((sums - top - bottom) << bits) + bottom
