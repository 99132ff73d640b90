"""The bank of HasChor: a transfer happens at both accounts or at none."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Coordinator(Role): ...


class Alice(Role): ...


class Bob(Role): ...


class Vote(Enum):
    COMMIT = 1
    ROLL_BACK = 2


class Bank(Ch3[Coordinator, Alice, Bob]):
    def __init__(self, left: Channel[object, Coordinator, Alice], right: Channel[object, Coordinator, Bob]) -> None:
        self.left = left
        self.right = right
        self.at_alice: At[int, Alice] = 100
        self.at_bob: At[int, Bob] = 20

    def apply(self, changes: At[tuple[int, int], Coordinator]) -> At[bool, Coordinator]:
        by_alice = self.left.com(changes[0])
        by_bob = self.right.com(changes[1])
        fine = self.left.com(self.at_alice + by_alice >= 0)
        well = self.right.com(self.at_bob + by_bob >= 0)
        if fine and well:
            self.left.select(Vote.COMMIT @ Coordinator())
            self.right.select(Vote.COMMIT @ Coordinator())
            self.at_alice += by_alice
            self.at_bob += by_bob
            return True
        else:
            self.left.select(Vote.ROLL_BACK @ Coordinator())
            self.right.select(Vote.ROLL_BACK @ Coordinator())
            return False

    def day(self, first: At[tuple[int, int], Coordinator], second: At[tuple[int, int], Coordinator]) -> tuple[At[tuple[bool, bool], Coordinator], At[int, Alice], At[int, Bob]]:
        one = self.apply(first)
        two = self.apply(second)
        return (one, two), self.at_alice, self.at_bob


# run: Bank.day Coordinator.first="(-30, 30)" Coordinator.second="(10, -70)"
