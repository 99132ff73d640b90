"""A coin flip by commitment, after PyChor."""

import hashlib

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


def commit(value: int, nonce: str) -> str:
    return hashlib.sha256(f"{value}:{nonce}".encode()).hexdigest()


class CoinFlip(Ch2[A, B]):
    """PyChor's coin flip by commitment."""

    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def run(self, bit: At[int, A], nonce: At[str, A], guess: At[int, B]) -> tuple[At[bool, A], At[bool, B]]:
        sealed = self.ch.com(commit(bit, nonce))
        guessed = self.ch.com(guess)
        opened, salt = self.ch.com((bit, nonce))
        honest: At[bool, B] = commit(opened, salt) == sealed
        won: At[bool, B] = honest and opened == guess
        return bit == guessed, won


# run: CoinFlip.run A.bit=1 "A.nonce='xyz'" B.guess=1
