from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Logged(Ch2[A, B]):
    log: At[list[str], B]

    def note(self, text: At[str, B]) -> None:
        self.log.append(text)


class Talks(Ch2[A, B]):
    def __init__(self, ch: Channel[str, A, B]) -> None:
        self.ch = ch

    def say(self, text: At[str, A]) -> At[str, B]:
        return self.ch.com(text)


class Chat(Talks[A, B], Logged[A, B], Ch2[A, B]):
    def __init__(self, ch: Channel[str, A, B]) -> None:
        super().__init__(ch)
        self.log = []

    def say(self, text: At[str, A]) -> At[str, B]:
        heard = super().say(text.strip())
        self.note(heard)
        return heard

    def run(self, texts: At[tuple[str, str], A]) -> At[list[str], B]:
        for i in range(2):
            self.say(texts[i])
        return self.log


# run: Chat.run A.texts="(' a ', 'b ')"
