from pytrope.choreo import At, Ch2, Channel, Role


class Client(Role): ...


class Server(Role): ...


def shout(text: str) -> str:
    return text.upper() + "!"


class Echo(Ch2[Client, Server]):
    def __init__(self, ch: Channel[str, Client, Server]) -> None:
        self.ch = ch

    def ask(self, text: At[str, Client]) -> At[str, Client]:
        return self.ch.com(shout(self.ch.com(text)))


# run: Echo.ask Client.text="'hi'"
