import hashlib

from pytrope.choreo import At, Ch3, Channel, Role


class C(Role): ...


class S1(Role): ...


class S2(Role): ...


def commit(value: int, salt: str) -> str:
    return hashlib.sha256(f"{value}{salt}".encode()).hexdigest()


class Lottery(Ch3[C, S1, S2]):
    def __init__(self, c1: Channel[object, C, S1], c2: Channel[object, C, S2], s: Channel[object, S1, S2]) -> None:
        self.c1 = c1
        self.c2 = c2
        self.s = s

    def draw(self, secrets: At[list[int], C], r1: At[int, S1], r2: At[int, S2]) -> At[int, C]:
        share2: At[list[int], C] = [v // 2 for v in secrets]
        got1: At[list[int], S1] = self.c1.com([v - w for v, w in zip(secrets, share2)])
        got2: At[list[int], S2] = self.c2.com(share2)
        h1 = self.s.com(commit(r1, "salt"))
        h2 = self.s.com(commit(r2, "salt"))
        v1 = self.s.com(r1)
        v2 = self.s.com(r2)
        ok2: At[bool, S2] = commit(v1, "salt") == h1
        ok1: At[bool, S1] = commit(v2, "salt") == h2
        assert ok1, "S2 cheated"
        assert ok2
        index1 = (r1 + v2) % len(got1)
        index2 = (r2 + v1) % len(got2)
        return self.c1.com(got1[index1]) + self.c2.com(got2[index2])


# run: Lottery.draw C.secrets="[5, 9, 12]" S1.r1=4 S2.r2=7
