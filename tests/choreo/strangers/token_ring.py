from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


ROUNDS = 4


class Ring(Ch3[A, B, C]):
    """Token ring: everyone adds to the token, three times round."""

    def __init__(self, ab: Channel[int, A, B], bc: Channel[int, B, C], ca: Channel[int, C, A]) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca
        self.seen: At[list[int], B] = []

    def run(self, a: At[int, A], b: At[int, B], c: At[int, C]) -> tuple[At[int, A], At[list[int], B]]:
        token: At[int, A] = 0
        for round_ in range(1, ROUNDS):
            at_b = self.ab.com(token + a * round_)
            self.seen.append(at_b)
            if round_ == 2:
                at_b = at_b * 10
            token = self.ca.com(self.bc.com(at_b + b) + c)
        return token, self.seen


# run: Ring.run A.a=1 B.b=2 C.c=3
