from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class D(Ch3[A, B, C]):
    def __init__(self, ab: Channel[int, A, B], bc: Channel[int, B, C], ca: Channel[int, C, A]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca

    def sub(self, x: At[int, A], y: At[int, B]) -> None:
        self.ab.com(x)

    def run(self, x: At[int, A], y: At[int, B], z: At[int, C]) -> tuple[At[int, A], At[int, B]]:
        return (self.ca.com(z) + x, self.bc.com(z) + self.ab.com(x))

    def two(self, x: At[int, A], y: At[int, B], z: At[int, C]) -> At[int, A]:
        a, b = self.run(x, y=self.ab.com(x + 1), z=self.bc.com(y))
        return a + self.ab.com(b) * self.ca.com(self.bc.com(b))


# run: D.two A.x=1 B.y=2 C.z=3
