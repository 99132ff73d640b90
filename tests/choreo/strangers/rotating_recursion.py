from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Case(Enum):
    BASE = 0
    STEP = 1


class Fib(Ch3[A, B, C]):
    """Each level of the recursion rotates the roles."""

    def __init__(self, ab: Channel[int, A, B], bc: Channel[int, B, C], ca: Channel[int, C, A]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca

    def fib(self, n: At[int, A]) -> At[int, A]:
        if n < 2:
            self.ab.select(Case.BASE @ A())
            self.ca.select(Case.BASE @ A())
            return n
        else:
            self.ab.select(Case.STEP @ A())
            self.ca.select(Case.STEP @ A())
            left = Fib[B, C, A](self.bc, self.ca, self.ab).fib(self.ab.com(n - 1))
            right = Fib[C, A, B](self.ca, self.ab, self.bc).fib(self.ca.com(n - 2))
            return self.ab.com(left) + self.ca.com(right)


# run: Fib.fib A.n=7
