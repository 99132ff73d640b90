from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Fn(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def __call__(self, x: At[int, A]) -> At[int, B]:
        return self.ch.com(x)


class D(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.fn = Fn(ch)

    def run(self, x: At[int, A]) -> At[int, B]:
        return self.fn(x) + self.fn(x + 1)


# run: D.run A.x=1
