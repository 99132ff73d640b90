"""A store with backups, after MultiChor: a write is answered when every backup has it."""

import random
from typing import Any

from pytrope.choreo import At, Ch2, Family, Role, Star


class Server(Role): ...


class Workers(Family): ...


Request = tuple[str, str, int]


def apply_request(state: dict[str, int], request: Request) -> int:
    kind, key, value = request
    if kind == "put":
        state[key] = value
    return state.get(key, -1)


class ReplicatedStore(Ch2[Server, Workers]):
    def __init__(self, star: Star[object, Server, Workers]) -> None:
        self.star = star

    def serve(self, requests: At[list[Request], Server]) -> tuple[At[list[int], Server], At[dict[str, int], Workers]]:
        state: At[dict[str, int], Server] = {}
        copy: At[dict[str, int], Workers] = {}
        answers: At[list[int], Server] = []
        todo = self.star.share(requests)
        for request in todo:
            apply_request(copy, request)
            agreed = self.star.gather(len(copy))
            answers.append(apply_request(state, request) if len(set(agreed)) == 1 else -2)
        return answers, copy


def given(rng: random.Random, count: int) -> Any:
    requests = [(rng.choice(["put", "get"]), rng.choice("abc"), rng.randrange(9)) for _ in range(6)]
    return {"requests": requests}, [{} for _ in range(count)]


def expected(ours: Any, theirs: Any) -> Any:
    state: dict[str, int] = {}
    answers = [apply_request(state, request) for request in ours["requests"]]
    return answers, [state for _ in theirs]


# census: ReplicatedStore.serve Server Workers
