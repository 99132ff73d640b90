"""One of two numbers, chosen in secret, after MultiChor (without the cryptography)."""

import random

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


def keys(seed: int, choice: bool) -> tuple[int, int]:
    source = random.Random(seed)
    real, fake = source.randrange(1000), source.randrange(1000)
    return (fake, real) if choice else (real, fake)


class OT2(Ch2[A, B]):
    """MultiChor's oblivious transfer of one of two bits (toy crypto)."""

    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def run(self, first: At[int, A], second: At[int, A], choice: At[bool, B], seed: At[int, B]) -> At[int, B]:
        pair: At[tuple[int, int], B] = keys(seed, choice)
        k0, k1 = self.ch.com(pair)
        c0, c1 = self.ch.com((first ^ k0, second ^ k1))
        return (c1 ^ pair[1]) if choice else (c0 ^ pair[0])


# run: OT2.run A.first=7 A.second=9 B.choice=True B.seed=3
