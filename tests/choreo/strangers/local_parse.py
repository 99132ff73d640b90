from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Parse(Ch2[A, B]):
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def run(self, text: At[str, A]) -> At[int, B]:
        text_b = self.ch.com(text)
        try:
            value = int(text_b)
        except ValueError as error:
            print("bad number", error)
            value = -1
        finally:
            text_b = ""
        return value


# run: Parse.run A.text="'4x'"
