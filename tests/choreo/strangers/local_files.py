import contextlib
import io

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Files(Ch2[A, B]):
    """Reads at A, writes at B."""

    def __init__(self, ch: Channel[list[str], A, B]) -> None:
        self.ch = ch

    def copy(self, text: At[str, A]) -> At[str, B]:
        with io.StringIO(text) as source:
            lines: At[list[str], A] = [line.strip() for line in source if line.strip()]
        received = self.ch.com(lines)
        target: At[io.StringIO, B] = io.StringIO()
        with contextlib.redirect_stdout(target):
            for line in received:
                print(line)
        return target.getvalue()


# run: Files.copy A.text="'a\nb\n'"
