from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Res(Ch2[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch
        self.open: At[int, A] = 0

    def run(self, x: At[int, A]) -> tuple[At[int, A], At[int, B]]:
        self.open += 1
        try:
            y = self.ch.com(x)
            y += self.ch.com(x * 2)
        finally:
            self.open -= 1
        return self.open, y


# run: Res.run A.x=4
