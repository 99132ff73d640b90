"""Quicksort over three roles: what is below the pivot goes to one neighbour, the rest to the other."""

from enum import Enum

from pytrope.choreo import At, Ch, Channel, On, Role


class Step(Enum):
    SPLIT = "split"
    DONE = "done"


def below(items: list[int]) -> list[int]:
    return [item for item in items[1:] if item < items[0]]


def not_below(items: list[int]) -> list[int]:
    return [item for item in items[1:] if item >= items[0]]


class Quicksort[A: Role, B: Role, C: Role](Ch[A, B, C]):
    def __init__(
        self,
        ab: Channel[list[int], A, B],
        bc: Channel[list[int], B, C],
        ca: Channel[list[int], C, A],
    ) -> None:
        self.ab = ab
        self.bc = bc
        self.ca = ca

    def sort(self, items: At[list[int], A]) -> At[list[int], A]:
        if len(items) > 1:
            self.ab.select(Step.SPLIT @ On[A])
            self.ca.select(Step.SPLIT @ On[A])
            low: At[list[int], B] = self.ab.com(below(items))
            high: At[list[int], C] = self.ca.com(not_below(items))
            sorted_low: At[list[int], B] = Quicksort[B, C, A](self.bc, self.ca, self.ab).sort(low)
            sorted_high: At[list[int], C] = Quicksort[C, A, B](self.ca, self.ab, self.bc).sort(high)
            return self.ab.com(sorted_low) + items[:1] + self.ca.com(sorted_high)
        else:
            self.ab.select(Step.DONE @ On[A])
            self.ca.select(Step.DONE @ On[A])
            return items
