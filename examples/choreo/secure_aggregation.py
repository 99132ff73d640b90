"""Secure aggregation: the server learns the sum of three vectors and nothing about each.

Every pair of clients shares a seed; one adds the mask that grows from it, the other takes it
away, so that all masks cancel in the sum.
"""

import random

from pytrope.choreo import At, Ch, Channel, DiChannel, Role

MODULUS = 1 << 32


def mask(seed: int, size: int) -> list[int]:
    source = random.Random(seed)
    return [source.randrange(MODULUS) for _ in range(size)]


def add_mask(vector: list[int], seed: int) -> list[int]:
    return [(v + m) % MODULUS for v, m in zip(vector, mask(seed, len(vector)), strict=True)]


def take_mask(vector: list[int], seed: int) -> list[int]:
    return [(v - m) % MODULUS for v, m in zip(vector, mask(seed, len(vector)), strict=True)]


def total(first: list[int], second: list[int], third: list[int]) -> list[int]:
    return [(a + b + c) % MODULUS for a, b, c in zip(first, second, third, strict=True)]


class SecureAggregation[Server: Role, A: Role, B: Role, C: Role](Ch[Server, A, B, C]):
    def __init__(
        self,
        a_server: DiChannel[list[int], A, Server],
        b_server: DiChannel[list[int], B, Server],
        c_server: DiChannel[list[int], C, Server],
        ab: Channel[int, A, B],
        bc: Channel[int, B, C],
        ca: Channel[int, C, A],
    ) -> None:
        self.a_server = a_server
        self.b_server = b_server
        self.c_server = c_server
        self.ab = ab
        self.bc = bc
        self.ca = ca

    def add_up(
        self,
        vector_a: At[list[int], A],
        vector_b: At[list[int], B],
        vector_c: At[list[int], C],
        seed_a: At[int, A],
        seed_b: At[int, B],
        seed_c: At[int, C],
    ) -> At[list[int], Server]:
        from_a: At[int, B] = self.ab.com(seed_a)
        from_b: At[int, C] = self.bc.com(seed_b)
        from_c: At[int, A] = self.ca.com(seed_c)
        masked_a: At[list[int], A] = take_mask(add_mask(vector_a, seed_a), from_c)
        masked_b: At[list[int], B] = take_mask(add_mask(vector_b, seed_b), from_a)
        masked_c: At[list[int], C] = take_mask(add_mask(vector_c, seed_c), from_b)
        return total(self.a_server.com(masked_a), self.b_server.com(masked_b), self.c_server.com(masked_c))
