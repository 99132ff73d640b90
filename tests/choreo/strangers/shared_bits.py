"""Secret sharing XOR, as MultiChor's GMW example."""

from pytrope.choreo import At, Ch, Channel, Role


class Share[P: Role, Q: Role](Ch[P, Q]):
    def __init__(self, p: At[bool, P], q: At[bool, Q]) -> None:
        self.p = p
        self.q = q

    def __xor__(self, other: "Share[P, Q]") -> "Share[P, Q]":
        return Share[P, Q](self.p ^ other.p, self.q ^ other.q)

    def xor(self, other: "Share[P, Q]") -> "Share[P, Q]":
        return Share[P, Q](self.p ^ other.p, self.q ^ other.q)


class Gmw[P: Role, Q: Role](Ch[P, Q]):
    def __init__(self, ch: Channel[bool, P, Q]) -> None:
        self.ch = ch

    def from_p(self, secret: At[bool, P], mask: At[bool, P]) -> Share[P, Q]:
        return Share[P, Q](mask, self.ch.com(secret ^ mask))

    def from_q(self, secret: At[bool, Q], mask: At[bool, Q]) -> Share[P, Q]:
        return Share[P, Q](self.ch.com(secret ^ mask), mask)

    def reveal(self, share: Share[P, Q]) -> tuple[At[bool, P], At[bool, Q]]:
        from_q = self.ch.com(share.q)
        from_p = self.ch.com(share.p)
        return share.p ^ from_q, share.q ^ from_p

    def run(self, a: At[bool, P], b: At[bool, Q]) -> tuple[At[bool, P], At[bool, Q]]:
        x = self.from_p(a, True)
        y = self.from_q(b, False)
        return self.reveal(x.xor(y))


# run: Gmw.run P.a=True Q.b=False
