from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Bcast(Ch3[A, B, C]):
    def __init__(self, ab: Channel[int, A, B], ac: Channel[int, A, C]) -> None:
        self.ab, self.ac = ab, ac

    def agree(self, n: int, x: At[int, A]) -> tuple[At[int, A], At[int, B], At[int, C]]:
        total: At[int, A | B | C] = 0 @ A() @ B() @ C()
        for i in range(n):
            total += i
        if total > 3:
            b = self.ab.com(x)
            c = self.ac.com(x)
            return x, b, c
        return total, total, total


# run: Bcast.agree A.n=4 B.n=4 C.n=4 A.x=9
