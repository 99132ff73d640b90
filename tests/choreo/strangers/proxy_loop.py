from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Client(Role): ...


class Proxy(Role): ...


class Server(Role): ...


class S(Enum):
    REQUEST = 1
    SKIP = 2
    QUIT = 3


class Service(Ch3[Client, Proxy, Server]):
    def __init__(self, cp: Channel[object, Client, Proxy], ps: Channel[object, Proxy, Server]):
        self.cp = cp
        self.ps = ps

    def serve(self, commands: At[list[str], Client]) -> tuple[At[list[str], Client], At[int, Server]]:
        out: At[list[str], Client] = []
        handled: At[int, Server] = 0
        i: At[int, Client] = 0
        while True:
            command: At[str, Client] = commands[i] if i < len(commands) else "quit"
            i += 1
            if command == "quit":
                self.cp.select(S.QUIT @ Client())
                self.ps.select(S.QUIT @ Proxy())
                break
            if command.startswith("#"):
                self.cp.select(S.SKIP @ Client())
                self.ps.select(S.SKIP @ Proxy())
                continue
            self.cp.select(S.REQUEST @ Client())
            self.ps.select(S.REQUEST @ Proxy())
            forwarded = self.ps.com(self.cp.com(command))
            handled += 1
            answer = self.cp.com(self.ps.com(forwarded.upper()))
            out.append(answer)
        return out, handled


# run: Service.serve Client.commands="['a','#x','b']"
