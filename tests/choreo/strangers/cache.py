from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class Client(Role): ...


class Server(Role): ...


class Found(Enum):
    YES = 1
    NO = 0


class Cache(Ch2[Client, Server]):
    def __init__(self, ch: Channel[object, Client, Server]) -> None:
        self.ch = ch
        self.cache: At[dict[str, int], Client] = {}
        self.misses: At[int, Client] = 0

    def get(self, key: At[str, Client]) -> At[int | None, Client]:
        hit: At[int | None, Client] = self.cache.get(key)
        if hit is not None:
            self.ch.select(Found.YES @ Client())
            return hit
        self.ch.select(Found.NO @ Client())
        self.misses += 1
        value: At[int | None, Client] = self.ch.com(len(self.ch.com(key)))
        if value is not None:
            self.cache[key] = value
        return value

    def run(self, keys: At[list[str], Client]) -> At[tuple[list[int | None], int], Client]:
        results: At[list[int | None], Client] = []
        for k in range(3):
            results.append(self.get(keys[k]))
        return results, self.misses


# run: Cache.run Client.keys="['a','bb','a']"
