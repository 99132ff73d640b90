"""One AND gate on shared bits with a dealer, after MultiChor."""

import random

from pytrope.choreo import At, Ch3, Channel, DiChannel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Gmw(Ch3[A, B, C]):
    """One AND gate on shares with a dealer's triple (MultiChor's GMW, two parties and a dealer)."""

    def __init__(self, ab: Channel[object, A, B], ca: DiChannel[object, C, A], cb: DiChannel[object, C, B]) -> None:
        self.ab, self.ca, self.cb = ab, ca, cb

    def share(self, x: At[bool, A], seed: At[int, A]) -> tuple[At[bool, A], At[bool, B]]:
        mask: At[bool, A] = random.Random(seed).random() < 0.5
        return x ^ mask, self.ab.com(mask)

    def conjunction(
        self, xa: At[bool, A], xb: At[bool, B], ya: At[bool, A], yb: At[bool, B]
    ) -> tuple[At[bool, A], At[bool, B]]:
        ta, tb, tc = self.ca.com((True, False, True))
        ua, ub, uc = self.cb.com((False, True, False))
        d: At[bool, A] = xa ^ ta
        e: At[bool, A] = ya ^ tb
        db: At[bool, B] = xb ^ ua
        eb: At[bool, B] = yb ^ ub
        opened_d = d ^ self.ab.com(db)
        opened_e = e ^ self.ab.com(eb)
        dd, ee = self.ab.com((opened_d, opened_e))
        za: At[bool, A] = tc ^ (opened_d & tb) ^ (opened_e & ta) ^ (opened_d & opened_e)
        zb: At[bool, B] = uc ^ (dd & ub) ^ (ee & ua)
        return za, zb

    def run(self, x: At[bool, A], y: At[bool, A]) -> tuple[At[bool, A], At[bool, B]]:
        xa, xb = self.share(x, 1)
        ya, yb = self.share(y, 2)
        za, zb = self.conjunction(xa, xb, ya, yb)
        return za ^ self.ab.com(zb), zb ^ self.ab.com(za)


# run: Gmw.run A.x=True A.y=True
