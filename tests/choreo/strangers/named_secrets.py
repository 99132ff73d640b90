from pytrope.choreo import At, Ch, Channel, Role

type Secret[R: Role] = At[int, R]
type Ints = list[int]


class Sum[A: Role, B: Role](Ch[A, B]):
    def __init__(self, ch: Channel[int, A, B]) -> None:
        self.ch = ch

    def run(self, x: Secret[A], y: Secret[B], more: At[Ints, B]) -> Secret[B]:
        return self.ch.com(x) + y + sum(more)


# run: Sum.run A.x=1 B.y=2 B.more="[3, 4]"
