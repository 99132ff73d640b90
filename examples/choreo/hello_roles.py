"""Two roles, one message: the smallest choreography worth running."""

from pytrope.choreo import At, Ch2, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


class HelloRoles(Ch2[Alice, Bob]):
    """Alice tells Bob her name; each says hello in its own way."""

    def __init__(self, channel: Channel[str, Alice, Bob]) -> None:
        self.channel = channel

    def greet(self, name: At[str, Alice]) -> tuple[At[str, Alice], At[str, Bob]]:
        heard: At[str, Bob] = self.channel.com(name)
        return f"{name} says hello", f"hello {heard}, this is Bob"
