from collections.abc import Callable

from pytrope.choreo import At, Ch, Channel, Role


class Remote[T, U, C: Role, S: Role](Ch[C, S]):
    def __init__(self, ch: Channel[object, C, S], f: At[Callable[[T], U], S]) -> None:
        self.ch = ch
        self.f = f

    def __call__(self, x: At[T, C]) -> At[U, C]:
        return self.ch.com(self.f(self.ch.com(x)))

    def call(self, x: At[T, C]) -> At[U, C]:
        return self.ch.com(self.f(self.ch.com(x)))


class Use[C: Role, S: Role](Ch[C, S]):
    def __init__(self, ch: Channel[object, C, S]) -> None:
        self.remote = Remote[int, str, C, S](ch, lambda n: "ab" * n)

    def run(self, x: At[int, C]) -> At[str, C]:
        return self.remote.call(x)


# run: Use.run C.x=3
