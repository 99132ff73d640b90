"""A producer sends its items one by one to a consumer, after Choral."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Channel, Role


class Producer(Role): ...


class Consumer(Role): ...


class Flow(Enum):
    GO = 1
    STOP = 2


def consume(ch: Channel[object, Producer, Consumer], items: At[list[int], Producer]) -> At[int, Consumer]:
    """Recursion over what is left, as the original."""
    if items:
        ch.select(Flow.GO @ Producer())
        first = ch.com(items[0])
        return first + consume(ch, items[1:])
    else:
        ch.select(Flow.STOP @ Producer())
        return 0


# run: consume Producer.items="[4, 5, 6]"
