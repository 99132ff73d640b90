"""A function that lives at a server, called by a client."""

from collections.abc import Callable

from pytrope.choreo import At, Ch, Channel, Role


def square(x: int) -> int:
    return x * x


class RemoteFunction[Client: Role, Server: Role](Ch[Client, Server]):
    """The server keeps the function; only its arguments and results travel."""

    def __init__(
        self, channel: Channel[int, Client, Server], function: At[Callable[[int], int], Server] = square
    ) -> None:
        self.channel = channel
        self.function = function

    def call(self, x: At[int, Client]) -> At[int, Client]:
        return self.channel.com(self.function(self.channel.com(x)))
