"""A wave goes out from one node and comes back with the sum, after the echo algorithm among the examples of Klor."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Mesh, Role, Star



class Server(Role): ...


class Workers(Family): ...


class Echo(Ch2[Server, Workers]):
    def __init__(self, star: Star[int, Server, Workers], mesh: Mesh[int, Workers]) -> None:
        self.star = star
        self.mesh = mesh

    def run(self, token: At[int, Server], value: At[int, Workers]) -> tuple[At[int, Server], At[int, Workers]]:
        wave = self.star.broadcast(token)
        heard = self.mesh.allgather(wave + value)
        return sum(self.star.gather(value + wave)), max(heard)


def given(rng: random.Random, count: int) -> Any:
    return {"token": rng.randrange(10)}, [{"value": rng.randrange(100)} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    reached = [ours["token"] + one["value"] for one in theirs]
    return sum(reached), [max(reached)] * len(theirs)


# census: Echo.run Server Workers mesh
