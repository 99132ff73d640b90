from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


def f(*args: int, **kw: int) -> list[object]:
    return [args, kw]


class D(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def run(self, x: At[int, A]) -> At[list[object], B]:
        d: At[dict[int, int], B] = {self.ch.com(x): self.ch.com(x + 1), self.ch.com(x + 2): self.ch.com(x + 3)}
        e: At[list[object], B] = f(
            self.ch.com(x), *self.ch.com([x + 1]), k=self.ch.com(x + 2), **self.ch.com({"z": x + 3})
        )
        s: At[list[int], B] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9][self.ch.com(x) : self.ch.com(x + 3) : self.ch.com(x)]
        t: At[str, B] = f"{self.ch.com(x):{self.ch.com(x + 5)}}|{self.ch.com(x + 1)!r}"
        u: At[dict[str, int], B] = {**self.ch.com({"a": x}), "b": self.ch.com(x)}
        return [d, e, s, t, u]


# run: D.run A.x=1
