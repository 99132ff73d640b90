import echo_library
from echo_library import Client, Echo, Server
from pytrope.choreo import At, Ch3, Channel, Role


class Logger(Role): ...


class App(Ch3[Client, Server, Logger]):
    def __init__(self, cs: Channel[str, Client, Server], sl: Channel[str, Server, Logger]) -> None:
        self.echo = Echo[Client, Server](cs)
        self.log = echo_library.Echo[Server, Logger](sl)

    def run(self, words: At[str, Client]) -> tuple[At[str, Client], At[str, Server]]:
        got = self.echo.ask(words)
        logged = self.log.ask("served" @ Server())
        return got, logged


# run: App.run Client.words="'hi'"
