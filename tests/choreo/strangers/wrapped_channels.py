from pytrope.choreo import At, Ch, Channel, Role


class Chan[T, X: Role, Y: Role](Ch[X, Y]):
    """A logging wrapper around a channel: a role-parameterised class as a field."""

    def __init__(self, inner: Channel[T, X, Y]) -> None:
        self.inner = inner
        self.sent: At[int, X] = 0

    def say(self, value: At[T, X]) -> At[T, Y]:
        self.sent += 1
        return self.inner.com(value)


class App[P: Role, Q: Role, R: Role](Ch[P, Q, R]):
    def __init__(self, pq: Channel[int, P, Q], qr: Channel[int, Q, R]) -> None:
        self.first = Chan[int, P, Q](pq)
        self.second: Chan[int, Q, R] = Chan[int, Q, R](qr)
        self.back = Chan[int, Q, P](pq)

    def run(self, x: At[int, P]) -> tuple[At[int, R], At[int, P]]:
        y = self.first.say(x)
        z = self.second.say(y + 1)
        w = self.back.say(y * self.second.sent)
        return z, w + self.first.sent


# run: App.run P.x=4
