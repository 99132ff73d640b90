"""What a try of Chorex leaves behind for what follows."""

from __future__ import annotations

from pytrope.choreo import At, Ch2, Channel, ChoreoError, Role


class Alice(Role): ...


class Bob(Role): ...


class After(Ch2[Alice, Bob]):
    def __init__(self, ch: Channel[object, Alice, Bob]) -> None:
        self.ch = ch

    def run(self, text: At[str, Alice]) -> At[str, Bob]:
        kind: At[str, Bob] = "?"
        try:
            kind = f"number {self.ch.com(int(text))}"
        except (ValueError, ChoreoError):
            kind = f"text {self.ch.com(text)}"
        return kind + self.ch.com("!" @ Alice())


# run: After.run Alice.text="'abc'"
