from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role):
    """The first."""


class B(Role):
    """The second."""


class K(Enum):
    YES = "y"  # agreed
    NO = "n"


LIMIT = 10  # known to all
GREETING = "hello"  # B's
SECRET = "only A needs this"


class Doc(Ch2[A, B]):
    """Documented.

    With several lines.
    """

    # the channel
    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch  # kept

    def talk(self, x: At[int, A]) -> At[str, B]:
        """Talk.

        More.
        """
        # A decides
        if x < LIMIT:  # small
            # tell B
            self.ch.select(K.YES @ A())
            # B answers
            answer: At[str, B] = GREETING  # constant
        else:
            self.ch.select(K.NO @ A())  # no
            print(SECRET, x)
            answer = "bye"
        # the end
        return answer


# run: Doc.talk A.x=3
