from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


def pair(a: int, *, b: int = 0, **rest: int) -> int:
    return a * 10 + b + sum(rest.values())


class Exprs(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def run(self, x: At[int, A], y: At[int, B]) -> tuple[At[int, A], At[str, B]]:
        p = q = self.ch.com(x)
        s = f"{self.ch.com(x):>4}|{p + q!r}|{y}"
        d: At[dict[str, list[int]], B] = {"k": [1, 2, 3]}
        d["k"][self.ch.com(x) % 3] += self.ch.com(x + 1)
        d["new"] = [self.ch.com(x), y, *d["k"]]
        t = pair(self.ch.com(x), b=self.ch.com(x), c=y)
        u = 1 < self.ch.com(x) < 100
        v = -self.ch.com(x), not self.ch.com(x)
        w = (n := t) + n
        del d["new"]
        best = max(d["k"], key=lambda k: -k) if u else 0
        a, (b, *c) = v[0], (1, 2, 3)
        return x, f"{s} {d} {t} {u} {v} {w} {best} {a} {b} {c} {q}"


# run: Exprs.run A.x=7 B.y=2
