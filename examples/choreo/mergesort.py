"""Mergesort over three roles that swap places at each level, after Choral's example."""

from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class Step(Enum):
    SORT = "sort"
    DONE = "done"
    LEFT = "left"
    RIGHT = "right"
    BOTH = "both"


class Mergesort(Ch3[A, B, C]):
    """A splits its list between B and C, each of which sorts its half with the roles turned."""

    def __init__(
        self,
        ch_AB: Channel[list[int], A, B],
        ch_BC: Channel[list[int], B, C],
        ch_CA: Channel[list[int], C, A],
    ) -> None:
        self.ch_AB = ch_AB
        self.ch_BC = ch_BC
        self.ch_CA = ch_CA

    def sort(self, items: At[list[int], A]) -> At[list[int], A]:
        if len(items) > 1:
            self.ch_AB.select(Step.SORT @ A())
            self.ch_CA.select(Step.SORT @ A())
            middle: At[int, A] = len(items) // 2
            half_b: At[list[int], B] = self.ch_AB.com(items[:middle])
            half_c: At[list[int], C] = self.ch_CA.com(items[middle:])
            left: At[list[int], B] = Mergesort[B, C, A](self.ch_BC, self.ch_CA, self.ch_AB).sort(half_b)
            right: At[list[int], C] = Mergesort[C, A, B](self.ch_CA, self.ch_AB, self.ch_BC).sort(half_c)
            return self.merge(left, right)
        else:
            self.ch_AB.select(Step.DONE @ A())
            self.ch_CA.select(Step.DONE @ A())
            return items

    def merge(self, left: At[list[int], B], right: At[list[int], C]) -> At[list[int], A]:
        """B and C compare their first items; A collects the smaller ones."""
        if len(left) > 0:
            self.ch_AB.select(Step.LEFT @ B())
            self.ch_BC.select(Step.LEFT @ B())
            if len(right) > 0:
                self.ch_CA.select(Step.BOTH @ C())
                self.ch_BC.select(Step.BOTH @ C())
                first: At[list[int], B] = self.ch_BC.com(right[:1])
                if left[0] <= first[0]:
                    self.ch_AB.select(Step.LEFT @ B())
                    self.ch_BC.select(Step.LEFT @ B())
                    smaller: At[list[int], A] = self.ch_AB.com(left[:1])
                    return smaller + self.merge(left[1:], right)
                else:
                    self.ch_AB.select(Step.RIGHT @ B())
                    self.ch_BC.select(Step.RIGHT @ B())
                    other: At[list[int], A] = self.ch_CA.com(right[:1])
                    return other + self.merge(left, right[1:])
            else:
                self.ch_CA.select(Step.DONE @ C())
                self.ch_BC.select(Step.DONE @ C())
                return self.ch_AB.com(left)
        else:
            self.ch_AB.select(Step.RIGHT @ B())
            self.ch_BC.select(Step.RIGHT @ B())
            return self.ch_CA.com(right)
