from pytrope.choreo import At, Ch2, Channel, ChoreoError, Role


class A(Role): ...


class B(Role): ...


class Safe(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def run(self, x: At[int, A]) -> tuple[At[int, A], At[int, B]]:
        a: At[int, A] = 0
        b: At[int, B] = 0
        try:
            b = self.ch.com(100 // x)
            a = self.ch.com(b + 1)
        except (ZeroDivisionError, ChoreoError):
            a = -1
            b = -1
        return a, b


# run: Safe.run A.x=5
