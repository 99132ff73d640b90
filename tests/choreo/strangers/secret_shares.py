from dataclasses import dataclass

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


@dataclass
class Shares(Ch2[A, B]):
    left: At[int, A]
    right: At[int, B]

    def reveal(self, ch: Channel[int, A, B]) -> At[int, A]:
        return self.left + ch.com(self.right)


class Mpc(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def share(self, secret: At[int, A], mask: At[int, A]) -> Shares:
        return Shares(mask, self.ch.com(secret - mask))

    def add(self, one: Shares, two: Shares) -> Shares:
        return Shares(left=one.left + two.left, right=one.right + two.right)

    def run(self, x: At[int, A], y: At[int, A]) -> At[int, A]:
        a = self.share(x, 17)
        b = self.share(secret=y, mask=4)
        total = self.add(a, b)
        return total.reveal(self.ch)


# run: Mpc.run A.x=5 A.y=9
