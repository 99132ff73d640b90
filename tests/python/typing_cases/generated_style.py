"""What a projected program uses, with the types of the runtime."""

from enum import Enum

from pytrope.choreo import ELSEWHERE, Endpoint, UnexpectedLabel, local_channel, run_roles, tcp_channel


class Label(Enum):
    GO = "go"
    STOP = "stop"


class Talk_A:
    def __init__(self, channel: Endpoint) -> None:
        self.channel = channel

    def talk(self, x: int) -> tuple[int, str]:
        self.channel.send(x)
        match self.channel.offer():
            case Label.GO:
                return x, ELSEWHERE
            case Label.STOP:
                return 0, ELSEWHERE
            case label:
                raise UnexpectedLabel(label)


class Talk_B:
    def __init__(self, channel: Endpoint) -> None:
        self.channel = channel

    def talk(self) -> None:
        x: int = self.channel.recv()
        self.channel.select(Label.GO if x else Label.STOP)
        self.channel.select("GO")  # error


a, b = local_channel("A", "B", deadline=5.0)
results = run_roles({"A": lambda: Talk_A(a).talk(1), "B": Talk_B(b).talk}, [a, b])
tcp_channel("A")  # error
