from enum import Enum

from pytrope.choreo import At, Ch4, Channel, Role


class M(Role): ...


class W1(Role): ...


class W2(Role): ...


class W3(Role): ...


class Go(Enum):
    STEP = "step"
    DONE = "done"


class BSP(Ch4[M, W1, W2, W3]):
    """Bulk synchronous: the master stops when the workers agree."""

    def __init__(self, a: Channel[float, M, W1], b: Channel[float, M, W2], c: Channel[float, M, W3]) -> None:
        self.a, self.b, self.c = a, b, c

    def tell(self, value: At[float, M]) -> tuple[At[float, W1], At[float, W2], At[float, W3]]:
        return self.a.com(value), self.b.com(value), self.c.com(value)

    def run(
        self, x1: At[float, W1], x2: At[float, W2], x3: At[float, W3], tolerance: At[float, M]
    ) -> tuple[At[int, M], At[float, W1], At[float, W2], At[float, W3]]:
        rounds: At[int, M] = 0
        while True:
            values: At[list[float], M] = [self.a.com(x1), self.b.com(x2), self.c.com(x3)]
            mean = sum(values) / len(values)
            if max(values) - min(values) < tolerance or rounds > 50:
                self.a.select(Go.DONE @ M())
                self.b.select(Go.DONE @ M())
                self.c.select(Go.DONE @ M())
                break
            self.a.select(Go.STEP @ M())
            self.b.select(Go.STEP @ M())
            self.c.select(Go.STEP @ M())
            m1, m2, m3 = self.tell(mean)
            x1 += (m1 - x1) / 2
            x2 += (m2 - x2) / 2
            x3 += (m3 - x3) / 2
            rounds += 1
        return rounds, x1, x2, x3


# run: BSP.run W1.x1=1.0 W2.x2=5.0 W3.x3=9.0 M.tolerance=0.5
