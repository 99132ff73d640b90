"""Ping-pong: a loop whose end one role decides and tells the other each round."""

from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class Ping(Role): ...


class Pong(Role): ...


class Game(Enum):
    MORE = "more"
    STOP = "stop"


class PingPong(Ch2[Ping, Pong]):
    """The ball counts how often it was hit."""

    def __init__(self, channel: Channel[int, Ping, Pong]) -> None:
        self.channel = channel

    def play(self, rounds: At[int, Ping]) -> tuple[At[int, Ping], At[int, Pong]]:
        ball: At[int, Ping] = 0
        hits: At[int, Pong] = 0
        while ball < 2 * rounds:
            self.channel.select(Game.MORE @ Ping())
            there: At[int, Pong] = self.channel.com(ball + 1)
            hits += 1
            ball = self.channel.com(there + 1)
        self.channel.select(Game.STOP @ Ping())
        return ball, hits
